// Looks up properties of an archive's content.
#include "trace/write/archive_content.h"

#include <stdio.h>
#include <string.h>

const char *otter_content_description(const struct otter_archive_content *content, const char *name)
{
    for (size_t i = 0; i < content->n_descriptions; i++) {
        if (strcmp(content->descriptions[i].name, name) == 0) {
            return content->descriptions[i].value;
        }
    }
    return "";
}

// Returns the name of counter `i` and what follows; NULL: there is none.
static const char *counter_at(const struct otter_archive_content *content, size_t i)
{
    const char *at = otter_content_description(content, "SETTING::COUNTERS");
    for (; at && *at && i > 0; i--) {
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    return at && *at ? at : NULL;
}

size_t otter_content_n_counters(const struct otter_archive_content *content)
{
    size_t n = 0;
    while (n < OTTER_MAX_COUNTERS && counter_at(content, n)) {
        n++;
    }
    return n;
}

void otter_content_counter(const struct otter_archive_content *content, size_t i,
                           char name[OTTER_COUNTER_SIZE])
{
    const char *at = counter_at(content, i);
    snprintf(name, OTTER_COUNTER_SIZE, "%.*s", at ? (int)strcspn(at, ",") : 0, at ? at : "");
}

uint32_t otter_content_module_at(const struct otter_archive_content *content, uint64_t address)
{
    for (size_t i = content->n_modules; i > 0; i--) {
        const struct otter_module_definition *module = &content->modules[i - 1];
        if (address >= module->begin && address < module->end) {
            return (uint32_t)i;
        }
    }
    return 0;
}

bool otter_content_is_complete(const struct otter_archive_content *content)
{
    return content->n_lost == 0 && content->n_unread == 0 &&
           !*otter_content_description(content, "STOPPED");
}

uint32_t otter_content_n_ranks(const struct otter_archive_content *content)
{
    uint32_t n = 0;
    for (size_t i = 0; i < content->n_teams; i++) {
        const struct otter_team_definition *team = &content->teams[i];
        for (uint32_t k = 0; team->is_of_processes && k < team->size; k++) {
            n = team->members[k] != UINT32_MAX && team->members[k] >= n ? team->members[k] + 1 : n;
        }
    }
    return n;
}
