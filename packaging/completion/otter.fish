# Completion of otter in fish. `otter help` lists the commands, `otter help COMMAND` its options and their values.

function __otter_commands
    otter help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) +(.*)/\1\t\2/p'
end

# Prints each option of the command; with its values, if it has a list of these in small letters.
function __otter_options
    set -l words (commandline -opc)
    otter help $words[2] 2>/dev/null |
        awk 'match($0, /^ +(-[A-Za-z], )?--/) && RLENGTH < 13 { sub(/^ +(-[A-Za-z], )?/, ""); for (i = 1; i <= NF && $i ~ /^--/; i++) print $i }' | while read -l option
        set -l parts (string split -m 1 = -- $option)
        if string match -qr '^[a-z0-9|-]+$' -- $parts[2]
            printf '%s\n' $parts[1]=(string split '|' -- $parts[2])
        else if test (count $parts) -eq 2
            echo $parts[1]=
        else
            echo $parts[1]
        end
    end
end

# True if a program follows `otter record [OPTIONS]`.
function __otter_has_program
    set -l words (commandline -opc)
    test "$words[2]" = record; or return 1
    for word in $words[3..]
        string match -q -- '-*' $word; or return 0
    end
    return 1
end

complete -c otter -n __fish_use_subcommand -f -a '(__otter_commands)'
complete -c otter -n '__fish_seen_subcommand_from help' -f -a '(__otter_commands)'
complete -c otter -n 'not __fish_use_subcommand; and not __otter_has_program' -a '(__otter_options)'
complete -c otter -n __otter_has_program -a '(__fish_complete_subcommand --fcs-skip=2)'
