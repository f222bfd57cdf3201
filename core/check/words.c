// Names and texts of the checks and quirks.
#include "check/words.h"

static const struct {
    const char *name, *rule, *unit;
} checks[OTTER_N_CHECKS] = {
    [OTTER_CHECK_FILES] = {"files", "every location can be read to its end", "locations"},
    [OTTER_CHECK_DEFINITIONS] = {"definitions", "what an event names is defined", "references"},
    [OTTER_CHECK_COUNTS] = {"counts", "the archive holds all events that it should", "locations"},
    [OTTER_CHECK_CLOCK] = {"clock", "time never goes back, and stays within the archive's clock",
                           "events"},
    [OTTER_CHECK_NESTING] = {"nesting", "each leave ends what was entered last", "leaves"},
    [OTTER_CHECK_TEAMS] = {"teams", "forks are joined, teams begin and end inside them", "teams"},
    [OTTER_CHECK_LOCKS] = {"locks", "what a thread acquires it releases", "acquisitions"},
    [OTTER_CHECK_PARAMETERS] = {"parameters", "what is told besides belongs to a record beside it",
                                "parameters"},
    [OTTER_CHECK_TASKS] = {"tasks", "a task is created once, then begins, then ends once", "tasks"},
    [OTTER_CHECK_SWITCHES] = {"switches", "who leaves or ends is the one that ran", "events"},
    [OTTER_CHECK_EXECUTION] = {"execution",
                               "a task runs on one thread at a time, a tied one on one", "tasks"},
    [OTTER_CHECK_GRAPH] = {"graph", "the task graph can be built of what is there", "tasks"},
    [OTTER_CHECK_ACYCLIC] = {"acyclic", "nothing comes before itself", "nodes"},
    [OTTER_CHECK_ORDER] = {"order", "what comes before in the graph ended before", "edges"},
    [OTTER_CHECK_SCOPES] = {"scopes", "all that lies in a scope leads to the scope's end", "nodes"},
    [OTTER_CHECK_TIME] = {"time", "what a thread does adds up to its time, and to the graph's",
                          "locations"},
};

static const struct {
    const char *name, *explanation;
} quirks[OTTER_N_QUIRKS] = {
    [OTTER_QUIRK_NONE] = {"", ""},
    [OTTER_QUIRK_LOST] = {"lost events",
                          "The recorder could not keep all events: a full disk is a cause, or a "
                          "signal handler that interrupted the recorder "
                          "(OTTER::LOST_IN_HANDLERS counts those). What they told is missing."},
    [OTTER_QUIRK_STOPPED] = {"max-size reached",
                             "The archive was as large as it was allowed to become: events end "
                             "there, on each thread with its next. What followed is not in the "
                             "graph."},
    [OTTER_QUIRK_BEYOND] = {"unnamed",
                            "The program has more labels and code locations than an archive can "
                            "name: each kind has one region 'unknown' for all others."},
    [OTTER_QUIRK_UNFINISHED] =
        {"unfinished", "The program ended inside of constructs and tasks (exit in a parallel "
                       "region, say); they were closed at its end."},
    [OTTER_QUIRK_CUT_OFF] = {"cut off", "The program was killed before its recording was closed."},
    [OTTER_QUIRK_REPAIRED] =
        {"untold ends", "The runtime did not report some ends; Otter closed what was open when "
                        "something around it ended."},
    [OTTER_QUIRK_UNBEGUN] = {"untold beginnings", "The runtime did not report some beginnings; "
                                                  "Otter left their ends out."},
    [OTTER_QUIRK_SINGLE] = {"endless single",
                            "For GCC's code LLVM's runtime never tells the end of a "
                            "single; it ends at the barrier behind it."},
    [OTTER_QUIRK_LOOP] = {"endless loop",
                          "The runtime never tells the end of some loops (cancelled, or "
                          "GCC's); they end at the barrier behind them."},
    [OTTER_QUIRK_UNTIED] = {"late untied end",
                            "The runtime tells the end of an untied task on a thread "
                            "that had left it, when it comes back to it."},
    [OTTER_QUIRK_DISCARDED] = {"discarded tasks",
                               "Tasks ended by cancellation that had never begun, or untied ones "
                               "that waited to go on."},
    [OTTER_QUIRK_LATE_END] = {"late end",
                              "The runtime tells the end of a worker's part when it uses the "
                              "worker again; it is set to the region's end."},
    [OTTER_QUIRK_CANCELLED_BARRIER] =
        {"uneven barriers", "Threads leave a cancelled region by barriers that are not the same "
                            "for all."},
    [OTTER_QUIRK_FULFILLER] =
        {"unknown fulfiller",
         "The event of a detached task was fulfilled by a thread that executed no "
         "task: who caused it is not known."},
    [OTTER_QUIRK_EVENT] = {"unawaited event",
                           "The runtime starts the dependent siblings of an undeferred detached "
                           "task before the task's event is fulfilled."},
    [OTTER_QUIRK_DEVICE_ALONE] =
        {"unknown operation", "A device told of an operation that no thread had told of: who asked "
                              "for it is not known."},
    [OTTER_QUIRK_DEVICE_TIME] =
        {"device time",
         "By the device's clock an operation began before it was asked for, or ended "
         "after what waits for it. Clocks of devices are translated, and some "
         "operations nobody waits for."},
    [OTTER_QUIRK_HELPER] = {"hidden helper",
                            "The runtime executes target tasks on threads of its own, "
                            "outside the team that created them."},
    [OTTER_QUIRK_DOACROSS] =
        {"late source", "The runtime reports the end of an iteration's ordered part (an ordered "
                        "region, or ordered depend(source)) when the next iteration may already "
                        "go on."},
    [OTTER_QUIRK_DEPENDENCES] = {"dependences left out",
                                 "What the program orders by depend clauses is not in the "
                                 "archive, nor in its graph:"},
    [OTTER_QUIRK_PAUSED] = {"paused",
                            "Recording was paused: what tasks did meanwhile is not in the archive, "
                            "and what had ended by then ends where recording goes on."},
    [OTTER_QUIRK_REFUSED] =
        {"refused records",
         "A device told of operations that ended before they began, were outside of the run, "
         "or were of no known form: they are left out."},
    [OTTER_QUIRK_MOVED] =
        {"moved records",
         "By the device's clock an operation began a little before the run, or had not ended when "
         "the device told of it: it was moved to the edge."},
    [OTTER_QUIRK_FOREIGN_RELEASE] =
        {"foreign release",
         "A thread released a lock that another one had acquired. OpenMP forbids it: it is a fault "
         "of the program, and none of the archive."},
    [OTTER_QUIRK_KEPT_LOCK] = {"kept lock",
                               "A lock was still set at the end: the program did not unset it."},
};

const char *otter_check_name(enum otter_check check)
{
    return checks[check].name;
}

const char *otter_check_rule(enum otter_check check)
{
    return checks[check].rule;
}

const char *otter_check_unit(enum otter_check check)
{
    return checks[check].unit;
}

const char *otter_quirk_name(enum otter_quirk quirk)
{
    return quirks[quirk].name;
}

const char *otter_quirk_explanation(enum otter_quirk quirk)
{
    return quirks[quirk].explanation;
}
