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
    "mutex": ("mutex_acquire", "mutex_acquired", "mutex_released", "lock_init", "lock_destroy"),
}

# Of devices; there is no event for them yet.
NOT_PLAYED = {"callback": ("control_tool", "device_initialize", "device_finalize", "device_load", "device_unload", "target", "target_data_op",
                           "target_submit", "target_map", "target_emi", "target_data_op_emi", "target_submit_emi", "target_map_emi")}


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
    return found


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
    by_word = {(group, word): sorted(of_word(found, group, word)) for group, word in words if word not in NOT_PLAYED.get(group, ())}
    if shall_list:
        for item, names in by_item.items():
            print(f"{item:4} {ITEMS[item]}: {', '.join(names)}")
        for (group, word), names in by_word.items():
            print(f"{group} {word}: {', '.join(names)}")
    problems += [f"{item} ({ITEMS[item]}): no script covers it" for item, names in by_item.items() if not names]
    problems += [f"{group} {word}: no script plays it" for (group, word), names in by_word.items() if not names]
    problems += [f"{script.path}: there is no item {item}" for script in scripts for item in script.covers if item not in ITEMS]
    return problems
