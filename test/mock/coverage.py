"""Which scripts play what: mock.py --coverage."""
import collections
import subprocess

# What a tool must take, by its name in tests. An item without a script fails.
ITEMS = {
    "H1": "every callback of the host",
    "H2": "every status of a task that is left, and tasks that never run",
    "H3": "every kind of dependence",
    "H4": "every kind of synchronisation is told from the others; an unknown one is no end",
    "H5": "every answer to ompt_set_callback is in the archive",
    "H6": "a tool that declines leaves the program to the next",
    "D1": "a target task is a task",
    "D2": "target constructs begin and end in the task that meets them",
    "D3": "the launch of a kernel",
    "D4": "maps, one event for each",
    "D5": "operations on data, of map clauses and of routines",
    "D6": "asynchronous copies are tasks with dependences",
    "D7": "what is known of an operation",
    "D8": "buffers of a device's trace, whoever owns them and whatever is in them",
    "D9": "records of devices, and the operations on the host that they belong to",
    "D10": "traces of devices are started, paused, flushed and stopped",
    "D11": "devices come and go, and have clocks of their own",
    "D12": "what is not specified is no end",
    "C1": "start, also when there is nothing to start",
    "C2": "pause, also when there is nothing to pause",
    "C3": "flush in any state",
    "C4": "end is for good: the archive is complete, the program goes on",
    "C5": "modifier and argument of the four commands mean nothing",
    "C6": "unknown commands are ignored",
    "C7": "what commands return",
    "C8": "a command is recorded where it was given",
    "C9": "while paused, it is followed who runs what",
    "C10": "commands of our own",
}

# The events that a group of words belongs to. Of the others a word may stand anywhere.
EVENTS = {
    "sync": ("sync", "sync_region", "sync_region_wait", "reduction"),
    "work": ("work",),
    "dispatch": ("dispatch",),
    "status": ("task_schedule",),
    "thread": ("thread_begin",),
    "dependence": ("dependences",),
    "result": ("grant",),
    "severity": ("error",),
    "cancel": ("cancel",),
    "task_flag": ("task_create", "implicit_task"),
    "parallel_flag": ("parallel_begin",),
    "target": ("target",),
    "data_op": ("target_data_op", "record"),
    "map_flag": ("target_map",),
    "record": ("record",),
    "command": ("control_tool",),
    "mutex": ("mutex_acquire", "mutex_acquired", "mutex_released", "lock_init", "lock_destroy"),
}

def words_of(event):
    """All words of an event, also those in lists and behind '='."""
    for word in event[1:]:
        for part in word.replace("=", "|").replace(":", "|").split("|"):
            yield part


def played(scripts):
    """(event, word) -> names of scripts; the event alone likewise."""
    found = collections.defaultdict(set)
    for script in scripts:
        for event in script.events:
            found[event[0], None].add(script.path.stem)
            for word in words_of(event):
                found[event[0], word].add(script.path.stem)
    for what in ("sync_region", "sync_region_wait"):
        found[what, None] |= found["sync", None]
    for what in ("target", "target_data_op", "target_submit", "target_map"):
        older = {script.path.stem for script in scripts if any(is_refused(event, what + "_emi") for event in script.events)}
        found[what + "_emi", None] = found[what, None] - older
        found[what, None] &= older
    return found


def is_refused(event, callback):
    """Whether the line grants a callback never, so that the runtime calls its older form."""
    return event[0] == "grant" and any(f"{callback}={result}" in event for result in ("never", "impossible", "error"))


def of_word(found, group, word):
    if group == "callback":
        return found[word, None]
    events = EVENTS.get(group) or {event for event, _ in found}
    return set().union(*(found.get((event, word), ()) for event in events))


def check(player, scripts, shall_list):
    """What no script plays."""
    problems = []
    by_item = {item: sorted(script.path.stem for script in scripts if item in script.covers) for item in ITEMS}
    found = played(scripts)
    words = [line.split() for line in subprocess.run([player, "--words"], capture_output=True, text=True, check=True).stdout.splitlines()]
    by_word = {(group, word): sorted(of_word(found, group, word)) for group, word in words}
    if shall_list:
        for item, names in by_item.items():
            print(f"{item:4} {ITEMS[item]}: {', '.join(names)}")
        for (group, word), names in by_word.items():
            print(f"{group} {word}: {', '.join(names)}")
        for fault in sorted({script.broken for script in scripts} - {None}):
            print(f"broken {fault}: {', '.join(sorted(script.path.stem for script in scripts if script.broken == fault))}")
    problems += [f"{item} ({ITEMS[item]}): no script covers it" for item, names in by_item.items() if not names]
    problems += [f"{group} {word}: no script plays it" for (group, word), names in by_word.items() if not names]
    problems += [f"{script.path}: there is no item {item}" for script in scripts for item in script.covers if item not in ITEMS]
    print(f"{len(scripts)} scripts, {sum(script.broken is not None for script in scripts)} of them broken: of {len(by_item)} items and "
          f"{len(by_word)} words {'each is played' if not problems else f'{len(problems)} problems'}")
    return problems
