// Plays one line of a script: finds the function for its first word. Contains code that these
// functions share.
#include "play.h"

#include <string.h>

// Code addresses for events: the tool sees them, nobody executes them.
static const char places[PLAY_MAX_PLACES * PLAY_PLACE_SIZE] = {1};

const char *play_places(void)
{
    return places;
}

static struct mock_frame *frame(void)
{
    struct mock_thread *thread = mock_thread_self();
    return thread->n_frames > 0 ? &thread->frames[thread->n_frames - 1] : NULL;
}

ompt_data_t *play_task_data(const struct line *line, const char *key)
{
    const char *name = line_value(line, key, NULL);
    return name ? script_data(line->script, name) : frame() ? frame()->current : NULL;
}

ompt_data_t *play_parallel_data(const struct line *line, const char *key)
{
    const char *name = line_value(line, key, NULL);
    return name ? script_data(line->script, name) : frame() ? frame()->parallel : NULL;
}

ompt_data_t *play_data(const struct line *line, size_t index)
{
    const char *name = line_word(line, index);
    if (!name) {
        line_fail(line, "word %zu is missing: a name, or null", index);
    }
    return script_data(line->script, name);
}

const void *play_code(const struct line *line)
{
    const char *name = line_value(line, "code", "null");
    if (strcmp(name, "null") == 0) {
        return NULL;
    }
    if (strncmp(name, "rt:", 3) == 0) {
        return mock_code();
    }
    size_t index = script_name_index(line->script, name);
    if (index >= PLAY_MAX_PLACES) {
        line_fail(line, "more than %d names", PLAY_MAX_PLACES);
    }
    return places + index * PLAY_PLACE_SIZE;
}

static play_function *find(const struct play *plays, const char *name)
{
    for (; plays->name; plays++) {
        if (strcmp(plays->name, name) == 0) {
            return plays->function;
        }
    }
    return NULL;
}

void play_line(const struct line *line)
{
    const struct play *const all[] = {play_tasks, play_constructs, play_targets, play_devices};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        play_function *function = find(all[i], line->words[0]);
        if (function) {
            function(line);
            return;
        }
    }
    line_fail(line, "there is no event %s", line->words[0]);
}
