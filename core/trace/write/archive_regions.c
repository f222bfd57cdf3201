// Writes regions: constructs at code locations, and labels.
#include "trace/write/archive_regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "trace/schema.h"

// LLVM loads the code of a host device from a file whose name differs in each run (quirk 'device
// image').
static bool is_device_image(const char *file)
{
    static const char random[] = "tmpfile_XXXXXX";
    return strlen(file) == strlen(random) && strncmp(file, random, strlen("tmpfile_")) == 0;
}

// Returns the module's file name, or a name that is equal in each run; the caller frees it.
static char *module_name(const struct otter_archive_writer *archive, const char *path)
{
    const char *program = otter_content_description(archive->content, "PROGRAM");
    const char *file = otter_path_file(path);
    if (!is_device_image(file)) {
        return strdup(file);
    }
    return *program ? otter_path("device image of %s", otter_path_file(program))
                    : strdup("device image");
}

// "!$omp task @fib+0x1234": the convention of Score-P, with the offset in the module instead of the
// line.
static char *region_name(const struct otter_archive_writer *archive,
                         const struct otter_region_definition *region)
{
    const char *canonical = otter_construct_name(region->construct);
    if (!region->module) {
        return region->address ? otter_path("%s @0x%" PRIx64, canonical, region->address)
                               : otter_path("%s", canonical);
    }
    const struct otter_module_definition *module = &archive->content->modules[region->module - 1];
    char *file = module_name(archive, module->path);
    char *name =
        file ? otter_path("%s @%s+0x%" PRIx64, canonical, file, region->address - module->bias)
             : NULL;
    free(file);
    return name;
}

// Returns the file of a labelled region, by the convention of Score-P.
static const char *label_file(enum otter_construct construct)
{
    return otter_construct_is_kokkos(construct) ? "KOKKOS"
           : otter_construct_is_mpi(construct)  ? "MPI"
                                                : "";
}

static OTF2_Paradigm label_paradigm(enum otter_construct construct)
{
    return otter_construct_is_kokkos(construct) ? OTF2_PARADIGM_KOKKOS
           : otter_construct_is_mpi(construct)  ? OTF2_PARADIGM_MPI
                                                : OTF2_PARADIGM_USER;
}

// The convention of Score-P: the name is the label.
static void write_label(struct otter_archive_writer *archive, uint32_t id,
                        const struct otter_region_definition *region)
{
    const char *raw = *region->raw_label ? region->raw_label : region->label;
    char *description = otter_path("%s%s%s", otter_construct_name(region->construct),
                                   *region->qualifier ? ", " : "", region->qualifier);
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, id, otter_archive_text(archive, region->label),
        otter_archive_text(archive, raw),
        otter_archive_text(archive, description ? description : ""),
        otter_construct_role(region->construct, 0), label_paradigm(region->construct),
        OTF2_REGION_FLAG_NONE, otter_archive_text(archive, label_file(region->construct)), 0, 0);
    if (!description) {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    free(description);
}

static OTF2_Paradigm paradigm_of(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_CODE ? OTF2_PARADIGM_SAMPLING
           : construct                       ? OTF2_PARADIGM_OPENMP
                                             : OTF2_PARADIGM_UNKNOWN;
}

static void write_region(struct otter_archive_writer *archive, uint32_t id,
                         const struct otter_region_definition *region)
{
    const char *canonical = otter_construct_name(region->construct);
    const char *path = region->module ? archive->content->modules[region->module - 1].path : "";
    char detail[128];
    char *name = region_name(archive, region);
    otter_construct_detail_text(region->construct, region->detail, detail, sizeof(detail));
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, id, otter_archive_text(archive, name ? name : canonical),
        otter_archive_text(archive, canonical), otter_archive_text(archive, detail),
        otter_construct_role(region->construct, region->detail), paradigm_of(region->construct),
        OTF2_REGION_FLAG_NONE, otter_archive_text(archive, path), 0, 0);
    if (!name) {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    free(name);
}

void otter_archive_write_regions(struct otter_archive_writer *archive)
{
    const struct otter_archive_content *content = archive->content;
    static const struct otter_region_definition unknown = {.construct = OTTER_CONSTRUCT_UNKNOWN};
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, OTTER_REGION_NONE, otter_archive_text(archive, "none"),
        otter_archive_text(archive, "none"), otter_archive_text(archive, ""),
        OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_UNKNOWN, OTF2_REGION_FLAG_NONE,
        otter_archive_text(archive, ""), 0, 0);
    for (size_t i = OTTER_REGION_UNKNOWN; i < otter_content_n_regions(content); i++) {
        const struct otter_region_definition *region = &unknown;
        if (i < content->n_regions && content->regions[i].is_defined) {
            region = &content->regions[i];
        }
        if (region->label) {
            write_label(archive, (uint32_t)i, region);
        } else {
            write_region(archive, (uint32_t)i, region);
        }
    }
}
