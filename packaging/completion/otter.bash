# Completion of otter in bash. `otter help` lists the commands, `otter help COMMAND` its options and their values.

# Prints a line for each option of a command: --clock=auto|tsc|monotonic
_otter_options() {
    "${COMP_WORDS[0]}" help "$1" 2>/dev/null |
        awk 'match($0, /^ +(-[A-Za-z], )?--/) && RLENGTH < 13 { sub(/^ +(-[A-Za-z], )?/, ""); for (i = 1; i <= NF && $i ~ /^--/; i++) print $i }'
}

# Prints the words for the option, whose list of values is in small letters.
_otter_values() {
    _otter_options "$1" | sed -n "s/^$2=//p" | tr '|' '\n' | grep -x '[a-z0-9][a-z0-9-]*'
}

_otter_commands() {
    "${COMP_WORDS[0]}" help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p'
}

# Prints the position of the program in `otter record [OPTIONS] PROGRAM`; nothing without a program.
_otter_program() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --) echo $((i + 1)) && return ;;
        -o | =) ((i++)) ;; # a value
        -*) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i += 2)) ;;
        *) echo "$i" && return ;;
        esac
    done
}

_otter() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} option= words= program
    if [[ $word == = ]]; then # bash takes = as a word
        option=$before word=
    elif [[ $before == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        words="$(_otter_commands) --help --version"
    elif [[ $command == record ]] && program=$(_otter_program) && [[ $program ]]; then
        declare -F _command_offset >/dev/null && _command_offset "$program"
        return
    elif [[ $command == help ]]; then
        ((COMP_CWORD == 2)) && words=$(_otter_commands)
    elif [[ $option ]]; then
        words=$(_otter_values "$command" "$option")
    elif [[ $word == -* ]]; then
        words=$(_otter_options "$command" | sed 's/=.*/=/' | sort -u)
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -o default -o bashdefault -F _otter otter
