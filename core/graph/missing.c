// Finds out from an archive's properties whether depend clauses were recorded.
#include "graph/missing.h"

#include <string.h>

static bool is_property(const struct otter_archive *archive, const char *name, const char *value)
{
    const char *found = otter_archive_property(archive, name);
    return found && strcmp(found, value) == 0;
}

enum otter_missing otter_missing_dependences(const struct otter_archive *archive)
{
    if (is_property(archive, "OTTER::DEPENDENCES", "some of unknown kind")) {
        return OTTER_MISSING_KINDS;
    }
    if (!is_property(archive, "OTTER::DEPENDENCES", "left out")) {
        return is_property(archive, "OTTER::CALLBACK::DEPENDENCES", "never")
                   ? OTTER_MISSING_UNREPORTED
                   : OTTER_MISSING_NOTHING;
    }
    return is_property(archive, "OTTER::SETTING::DEPENDENCES", "off") ? OTTER_MISSING_UNWANTED
                                                                      : OTTER_MISSING_UNSAFE;
}

const char *otter_missing_reason(enum otter_missing missing)
{
    switch (missing) {
    case OTTER_MISSING_NOTHING: break;
    case OTTER_MISSING_UNREPORTED:
        return "this OpenMP runtime does not report depend clauses; record with LLVM's runtime to "
               "have them";
    case OTTER_MISSING_UNWANTED:
        return "depend clauses were not recorded, because of OTTER_DEPENDENCES=off; record with "
               "OTTER_DEPENDENCES=on to have them";
    case OTTER_MISSING_KINDS:
        return "the runtime reported some entries of depend clauses of a kind that Otter does not "
               "know; the graph treats them as inout";
    case OTTER_MISSING_UNSAFE:
        return "depend clauses were not recorded, since LLVM's OpenMP runtime may corrupt its "
               "memory by reporting them; if no task with if(0) has mutexinoutset or inoutset, "
               "record with OTTER_DEPENDENCES=on";
    }
    return "";
}
