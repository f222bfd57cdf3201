// Reads all events of an archive.
#include "analysis/events.h"

struct reading {
    otter_event_function *add;
    void *user;
    bool is_short_of_memory;
};

static bool pass_on(void *user, const struct otter_event *event)
{
    struct reading *reading = user;
    reading->is_short_of_memory |= !reading->add(reading->user, event);
    return !reading->is_short_of_memory;
}

enum otter_status otter_events_read(struct otter_archive *archive, otter_event_function *add,
                                    void *user)
{
    struct otter_complaint complaint;
    struct reading reading = {.add = add, .user = user};
    size_t n = otter_archive_definitions(archive)->n_locations;
    for (size_t i = 0; i < n && !reading.is_short_of_memory; i++) {
        (void)otter_archive_read(archive, i, pass_on, &reading, NULL, &complaint);
    }
    return reading.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}
