// Names slices, tasks and the program.
#include "export/parts.h"

const char *otter_conversion_name(const struct otter_conversion *conversion, uint32_t label,
                                  enum otter_category category, char text[OTTER_LABEL_SIZE])
{
    switch (category) {
    case OTTER_CATEGORY_FORKING: return "fork or join";
    case OTTER_CATEGORY_PAUSED: return "paused";
    case OTTER_CATEGORY_LOST: return "lost events";
    default: return otter_report_label(&conversion->report, label, text);
    }
}

bool otter_conversion_task(const struct otter_conversion *conversion, uint32_t task,
                           char text[OTTER_TASK_ID_SIZE])
{
    const struct otter_graph *graph = conversion->view->analysis.graph;
    if (task >= graph->n_tasks || graph->tasks[task].number == 0) {
        return false;
    }
    snprintf(text, OTTER_TASK_ID_SIZE, "%u:%u", (unsigned)graph->tasks[task].location,
             (unsigned)graph->tasks[task].number);
    return true;
}

const char *otter_conversion_title(const struct otter_conversion *conversion)
{
    const char *command = otter_archive_property(conversion->view->archive, "OTTER::COMMAND_LINE");
    return command && *command ? command : conversion->view->definitions->folder;
}

const char *otter_conversion_process_name(const struct otter_conversion *conversion,
                                          char text[OTTER_PROCESS_NAME_SIZE])
{
    const char *title = otter_conversion_title(conversion);
    if (!conversion->file->has_ranks) {
        return title;
    }
    snprintf(text, OTTER_PROCESS_NAME_SIZE, "rank %llu: %s", (unsigned long long)conversion->rank,
             title);
    return text;
}

uint64_t otter_conversion_process(const struct otter_conversion *conversion)
{
    if (conversion->file->has_ranks) {
        return conversion->rank + 1;
    }
    uint64_t number = otter_archive_number(conversion->view->archive, "OTTER::PID");
    return number > 0 && number <= INT32_MAX ? number : 1;
}
