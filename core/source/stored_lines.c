// Stores the source lines of an archive's regions in the archive.
#include "source/stored_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "base/text/utf8.h"
#include "source/lines.h"
#include "source/property.h"
#include "trace/complaint.h"
#include "trace/revise/revise.h"

// Returns the number of the module with this path, as text, or NULL.
static const char *find_module(const struct otter_definitions *definitions, const char *path)
{
    for (size_t i = 0; i < definitions->n_properties; i++) {
        const struct otter_property *property = &definitions->properties[i];
        const char *number = otter_property_after(property, "OTTER::MODULE::");
        const char *at = number ? strchr(property->value, '/') : NULL;
        char *copy = at ? otter_utf8_copy(at) : NULL;
        bool is_found = copy && strcmp(copy, path) == 0;
        free(copy);
        if (is_found) {
            return number;
        }
    }
    return NULL;
}

// Returns whether a reader can make the name from module and offset.
static bool is_restorable(const struct otter_region *region, uint64_t offset)
{
    char *name = otter_path("%s @%s+0x%" PRIx64, region->canonical_name,
                            otter_path_file(region->file), offset);
    bool is_equal = name && strcmp(name, region->name) == 0;
    free(name);
    return is_equal;
}

static void finish_revised(struct otter_revised_region *revised, size_t n)
{
    for (size_t i = 0; revised && i < n; i++) {
        free((void *)(uintptr_t)revised[i].name);
        free((void *)(uintptr_t)revised[i].code);
    }
    free(revised);
}

// Sets the new name and place of a region that has a line, or that has no place of its own.
// *Returns* false if out of memory.
static bool revise(const struct otter_definitions *definitions, const struct otter_region *region,
                   const struct otter_label *label, struct otter_revised_region *revised)
{
    uint64_t offset;
    const char *recorded = strstr(region->name, " @");
    bool is_resolved = !region->source && recorded && strcmp(recorded + 2, label->where) != 0 &&
                       otter_lines_has_code(region, &offset) && is_restorable(region, offset);
    const char *module = is_resolved ? find_module(definitions, region->file) : NULL;
    if (!module) {
        return true;
    }
    revised->name =
        otter_path("%s%s%s", region->canonical_name, *label->where ? " @" : "", label->where);
    revised->code = otter_path("%s %" PRIx64 " %s", module, offset, label->function);
    revised->file = label->line > 0 || !*label->where ? label->file : NULL;
    revised->line = label->line;
    return revised->name && revised->code;
}

static enum otter_status store(struct otter_archive *archive, const struct otter_labels *labels,
                               struct otter_stored_lines *lines, struct otter_complaint *complaint)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    size_t n = definitions->n_regions;
    struct otter_revised_region *revised = calloc(n + 1, sizeof *revised);
    bool is_done = revised != NULL;
    for (size_t i = 0; is_done && i < n; i++) {
        is_done = revise(definitions, &definitions->regions[i], &labels->regions[i], &revised[i]);
        lines->n_new += revised[i].name != NULL;
    }
    otter_lines_count(definitions, labels, &lines->n_with, &lines->n_without);
    enum otter_status status =
        !is_done            ? otter_complain(complaint, OTTER_NO_MEMORY, "out of memory")
        : lines->n_new == 0 ? OTTER_OK
                            : otter_archive_revise(archive, revised, complaint);
    finish_revised(revised, n);
    return status;
}

static enum otter_status resolve_and_store(struct otter_archive *archive,
                                           struct otter_stored_lines *lines,
                                           struct otter_complaint *complaint)
{
    struct otter_labels labels;
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    if (definitions->n_ranks > 0) {
        return otter_complain(complaint, OTTER_UNSUPPORTED,
                              "'%s' is a merged archive: add lines to the archives of its ranks, "
                              "and merge them again",
                              definitions->folder);
    }
    if (!otter_archive_property(archive, "OTTER::SCHEMA")) {
        return otter_complain(complaint, OTTER_UNSUPPORTED, "'%s' was not written by Otter",
                              definitions->folder);
    }
    if (otter_labels_init(&labels, definitions)) {
        return otter_complain(complaint, OTTER_NO_MEMORY, "out of memory");
    }
    enum otter_status status = otter_lines_resolve(archive, &labels)
                                   ? otter_complain(complaint, OTTER_NO_MEMORY, "out of memory")
                                   : store(archive, &labels, lines, complaint);
    otter_labels_finish(&labels);
    return status;
}

enum otter_status otter_lines_store(const char *path, struct otter_stored_lines *lines,
                                    struct otter_complaint *complaint)
{
    struct otter_archive *archive;
    *lines = (struct otter_stored_lines){0};
    enum otter_status status = otter_archive_open_definitions(path, &archive, complaint);
    if (status) {
        return status;
    }
    status = resolve_and_store(archive, lines, complaint);
    otter_archive_close(archive);
    return status;
}

void otter_stored_lines_note(const struct otter_stored_lines *lines)
{
    if (lines->n_with == 0 && lines->n_without > 0) {
        otter_note("labels are addresses: compile with -g for source lines");
    }
}
