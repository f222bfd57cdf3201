// Names and texts of the checks and quirks.
#include "check/words.h"

const struct otter_check_words otter_check_words[OTTER_N_CHECKS] = {
    [OTTER_CHECK_FILES] = {"files", "every location can be read to its end", "locations"},
    [OTTER_CHECK_DEFINITIONS] = {"definitions", "everything that events refer to is defined",
                                 "references"},
    [OTTER_CHECK_COUNTS] = {"counts", "the archive contains all events that it should",
                            "locations"},
    [OTTER_CHECK_CLOCK] = {"clock", "time never decreases, and stays within the archive's clock",
                           "events"},
    [OTTER_CHECK_NESTING] = {"nesting", "each leave ends the region that was entered last",
                             "leaves"},
    [OTTER_CHECK_TEAMS] = {"teams", "forks are joined, teams begin and end inside them", "teams"},
    [OTTER_CHECK_LOCKS] = {"locks", "each thread releases the locks that it acquires",
                           "acquisitions"},
    [OTTER_CHECK_PARAMETERS] = {"parameters", "each parameter belongs to a record next to it",
                                "parameters"},
    [OTTER_CHECK_TASKS] = {"tasks", "a task is created once, then begins, then ends once", "tasks"},
    [OTTER_CHECK_SWITCHES] = {"switches", "a task that leaves or ends is the current task",
                              "events"},
    [OTTER_CHECK_EXECUTION] =
        {"execution", "a task runs on one thread at a time, a tied task always on the same",
         "tasks"},
    [OTTER_CHECK_GRAPH] = {"graph", "the task graph can be built from the events", "tasks"},
    [OTTER_CHECK_ACYCLIC] = {"acyclic", "no node precedes itself", "nodes"},
    [OTTER_CHECK_ORDER] = {"order", "a node's predecessors in the graph end before it begins",
                           "edges"},
    [OTTER_CHECK_SCOPES] = {"scopes", "each node in a scope has a path to the scope's end",
                            "nodes"},
    [OTTER_CHECK_TIME] = {"time", "a thread's states add up to its time, and to its fragments",
                          "locations"},
    [OTTER_CHECK_ACCOUNT] = {"account",
                             "the report's account contains each tick of each thread once",
                             "threads"},
};

const struct otter_quirk_words otter_quirk_words[OTTER_N_QUIRKS] = {
    [OTTER_QUIRK_NONE] = {"", ""},
    [OTTER_QUIRK_LOST] = {"lost events",
                          "The recorder could not store all events: the disk was full, for "
                          "example, or a signal handler interrupted the recorder "
                          "(OTTER::LOST_IN_HANDLERS counts such events)."},
    [OTTER_QUIRK_STOPPED] = {"max-size reached",
                             "The archive reached its maximum size. Each thread's events end "
                             "there. Later events are not in the graph."},
    [OTTER_QUIRK_BEYOND] = {"unnamed",
                            "The program has more labels and code locations than an archive can "
                            "name. For each kind, all others share one region 'unknown'."},
    [OTTER_QUIRK_UNFINISHED] =
        {"unfinished", "The program ended inside constructs and tasks, for example by exit in a "
                       "parallel region. They were closed at its end."},
    [OTTER_QUIRK_CUT_OFF] = {"cut off", "The program was killed before its recording was closed."},
    [OTTER_QUIRK_REPAIRED] =
        {"untold ends", "The runtime did not report some ends. Otter closed the constructs when an "
                        "enclosing construct ended."},
    [OTTER_QUIRK_UNBEGUN] = {"untold beginnings",
                             "The runtime did not report some beginnings. Otter left out the ends "
                             "of these constructs."},
    [OTTER_QUIRK_SINGLE] = {"endless single",
                            "For code compiled by GCC, LLVM's runtime never reports the end of "
                            "a single. The single ends at the barrier after it."},
    [OTTER_QUIRK_LOOP] = {"endless loop",
                          "The runtime never reports the end of some loops (cancelled, or GCC's). "
                          "They end at the barrier after them."},
    [OTTER_QUIRK_UNTIED] = {"late untied end",
                            "The runtime reports the end of an untied task on a thread that had "
                            "left the task, when the thread returns to the runtime."},
    [OTTER_QUIRK_DISCARDED] = {"discarded tasks",
                               "Cancellation ended tasks that had not begun, or untied tasks that "
                               "waited for a thread."},
    [OTTER_QUIRK_LATE_END] = {"late end",
                              "The runtime reports the end of a worker's part when it uses the "
                              "worker again. Otter sets this end to the region's end."},
    [OTTER_QUIRK_CANCELLED_BARRIER] = {"uneven barriers",
                                       "The threads of a cancelled region leave it by different "
                                       "barriers."},
    [OTTER_QUIRK_FULFILLER] = {"unknown fulfiller",
                               "A thread that executed no task (such as one of another library) "
                               "fulfilled the event of a detached task. What it waited for is "
                               "unknown."},
    [OTTER_QUIRK_EVENT] = {"unawaited event",
                           "The runtime starts the dependent siblings of an undeferred detached "
                           "task before the task's event is fulfilled."},
    [OTTER_QUIRK_DEVICE_ALONE] = {"unknown operation",
                                  "A device reported an operation that no thread had reported. The "
                                  "operation's origin is unknown."},
    [OTTER_QUIRK_DEVICE_TIME] =
        {"device time",
         "According to the device's clock, an operation began before its request, or ended after "
         "the wait for "
         "it. Clocks of devices are translated, and no thread waits for some operations."},
    [OTTER_QUIRK_HELPER] = {"hidden helper",
                            "The runtime executes target tasks on threads of its own, "
                            "outside the team that created them."},
    [OTTER_QUIRK_DOACROSS] =
        {"late source", "The runtime reports the end of an iteration's ordered part (an ordered "
                        "region, or ordered depend(source)) when the next iteration may already "
                        "run."},
    [OTTER_QUIRK_DEPENDENCES] = {"dependences left out",
                                 "The archive and its graph lack the order that depend clauses "
                                 "demand:"},
    [OTTER_QUIRK_PAUSED] =
        {"paused", "Recording was paused. The archive does not contain the tasks' actions "
                   "during a pause. Constructs that ended during a pause end with the pause."},
    [OTTER_QUIRK_REFUSED] =
        {"refused records",
         "A device reported operations that ended before they began, were outside of the run, "
         "or had no known form. They are left out."},
    [OTTER_QUIRK_MOVED] =
        {"moved records",
         "According to the device's clock, an operation began a little before the run, or had not "
         "ended when "
         "the device reported it. Its time was moved to the edge."},
    [OTTER_QUIRK_FOREIGN_RELEASE] =
        {"foreign release", "A thread released a lock that another thread had acquired. OpenMP "
                            "forbids this: it is a fault of the program, not of the archive."},
    [OTTER_QUIRK_KEPT_LOCK] = {"kept lock",
                               "A lock was still set at the end: the program did not unset it."},
};
