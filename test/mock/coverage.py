"""Finds items, events and words that no script plays: mock.py --coverage."""
import collections
import subprocess

# The requirements for a tool, named as in `covers`. An item without a script fails the test.
ITEMS = {
    "H1": "every callback of the host",
    "H2": "every status of a task that is left, and tasks that never run",
    "H3": "every kind of dependence",
    "H4": "every kind of synchronisation is distinguished; an unknown kind does no harm",
    "H5": "every answer to ompt_set_callback is in the archive",
    "H6": "after a tool that declines, the next tool is used",
    "D1": "a target task is a task",
    "D2": "target constructs begin and end in the encountering task",
    "D3": "the launch of a kernel",
    "D4": "maps, one event for each",
    "D5": "operations on data, of map clauses and of routines",
    "D6": "asynchronous copies are tasks with dependences",
    "D7": "the properties of an operation",
    "D8": "buffers of a device's trace, with any owner and any content",
    "D9": "records of devices, and their operations on the host",
    "D10": "traces of devices are started, paused, flushed and stopped",
    "D11": "devices begin and end, and have their own clocks",
    "D12": "unspecified values do no harm",
    "C1": "start, also when there is nothing to start",
    "C2": "pause, also when there is nothing to pause",
    "C3": "flush in any state",
    "C4": "end is final: the archive is complete, the program continues",
    "C5": "modifier and argument of the four commands have no effect",
    "C6": "unknown commands are ignored",
    "C7": "the results of commands",
    "C8": "a command is recorded in the task that gave it",
    "C9": "during a pause, task switches are still observed",
    "C10": "Otter's own commands",
}

# The events that use a group of words. Any event may use the words of other groups.
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
    """Yields all words of an event, including those in lists and after '='."""
    for word in event[1:]:
        for part in word.replace("=", "|").replace(":", "|").split("|"):
            yield part


def played(scripts):
    """Returns {(event, word): names of scripts}, and the same for events without a word."""
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
    """Returns whether the line refuses a callback, so that the runtime calls the older form."""
    return event[0] == "grant" and any(f"{callback}={result}" in event for result in ("never", "impossible", "error"))


def of_word(found, group, word):
    if group == "callback":
        return found[word, None]
    events = EVENTS.get(group) or {event for event, _ in found}
    return set().union(*(found.get((event, word), ()) for event in events))


def check(player, scripts, shall_list):
    """Returns a complaint for each item, event and word that no script plays."""
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
