// The definitions of a merged archive: archives that change while they are read, and local
// definitions that are damaged.
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <otf2/otf2.h>

#include "base/file.h"
#include "folder.h"
#include "merge/merge.h"
#include "trace/merge/merge.h"
#include "write_archive.h"

enum { EVENT_CHUNK = 1 << 18, N_LOCATIONS = 3, N_TASKS = 10, MAX_NUMBERS = 64, STEP = 100 };

static struct otter_complaint complaint;

// The numbers of definitions belong to the archive "a", or are unknown.
static enum otter_status merge(const char *folder, size_t n_locations,
                               const struct otter_definitions *definitions)
{
    static const char *const hosts[] = {"host"};
    struct otter_merge_rank rank = {.archive = in_test_folder("a"),
                                    .name = "process",
                                    .n_locations = n_locations,
                                    .last_tick = UINT64_MAX,
                                    .clock = {.resolution = 1},
                                    .map = {.end = STEP}};
    if (definitions) {
        rank.n_regions = definitions->n_regions;
        rank.n_comms = definitions->n_comms;
        rank.n_parameters = definitions->n_parameters;
        rank.n_metrics = definitions->n_metrics;
    }
    struct otter_merge_plan plan = {.ranks = &rank,
                                    .n_ranks = 1,
                                    .hosts = hosts,
                                    .n_hosts = 1,
                                    .machine = "host",
                                    .description = "",
                                    .clock = {.resolution = 1},
                                    .n_locations = n_locations,
                                    .properties = &(struct otter_property){"OTTER::MERGED", "1"},
                                    .n_properties = 1,
                                    .event_chunk = EVENT_CHUNK,
                                    .definition_chunk = otter_merge_definition_chunk(0)};
    return otter_merge_write(folder, &plan, &complaint);
}

static void an_archive_that_changes_is_refused(void **state)
{
    (void)state;
    assert_int_equal(merge(in_test_folder("m3"), 3, NULL), OTTER_OK);
    assert_int_equal(merge(in_test_folder("m2"), 2, NULL), OTTER_BAD_ARCHIVE);
    assert_non_null(strstr(complaint.text, "has changed"));
}

// ---- local definitions

// The changes of a test in the local definitions of location 1.
struct forgery {
    bool lacks_parameters, lacks_metrics, has_other_region;
    unsigned n_offsets;
};

static void write_table(OTF2_DefWriter *writer, OTF2_MappingType type, size_t n, bool is_other)
{
    uint64_t numbers[MAX_NUMBERS];
    assert_in_range(n, 2, MAX_NUMBERS);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = i;
    }
    numbers[0] = is_other ? 1 : 0;
    numbers[1] = is_other ? 0 : 1;
    OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(n, numbers, false);
    assert_int_equal(OTF2_DefWriter_WriteMappingTable(writer, type, map), OTF2_SUCCESS);
    OTF2_IdMap_Free(map);
}

static void write_tables(OTF2_DefWriter *writer, const struct otter_definitions *definitions,
                         const struct forgery *forgery)
{
    write_table(writer, OTF2_MAPPING_REGION, definitions->n_regions, forgery->has_other_region);
    write_table(writer, OTF2_MAPPING_COMM, definitions->n_comms, false);
    if (!forgery->lacks_parameters) {
        write_table(writer, OTF2_MAPPING_PARAMETER, definitions->n_parameters, false);
    }
    if (!forgery->lacks_metrics) {
        write_table(writer, OTF2_MAPPING_METRIC, definitions->n_metrics, false);
    }
    for (unsigned i = 0; i < forgery->n_offsets; i++) {
        OTF2_DefWriter_WriteClockOffset(writer, i * STEP, 0, 0);
    }
}

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool is_final)
{
    return OTF2_FLUSH;
}

static OTF2_TimeStamp no_time(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    return 0;
}

// Rewrites the local definitions of location 1.
static void forge(const char *merged, const struct otter_definitions *definitions,
                  const struct forgery *forgery)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct stat about;
    snprintf(folder, sizeof folder, "%s.forged", merged);
    OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK,
                                              otter_merge_definition_chunk(0), OTF2_SUBSTRATE_POSIX,
                                              OTF2_COMPRESSION_NONE);
    OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush, .otf2_post_flush = no_time};
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenDefFiles(archive);
    OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, 1);
    write_tables(writer, definitions, forgery);
    OTF2_Archive_CloseDefWriter(archive, writer);
    OTF2_Archive_CloseDefFiles(archive);
    OTF2_Archive_Close(archive);
    snprintf(folder, sizeof folder, "%s.forged/traces/1.def", merged);
    snprintf(path, sizeof path, "%s/traces/1.def", merged);
    assert_int_equal(stat(folder, &about), 0);
    assert_int_equal(remove(path), 0);
    assert_int_equal(otter_file_copy(folder, path, (uint64_t)about.st_size), 0);
}

static void copy_events(const char *merged)
{
    for (int i = 0; i < N_LOCATIONS; i++) {
        char to[PATH_MAX];
        struct stat about;
        const char *from = in_test_folder("a/traces/%d.evt", i);
        snprintf(to, sizeof to, "%s/traces/%d.evt", merged, i);
        assert_int_equal(stat(from, &about), 0);
        assert_int_equal(otter_file_copy(from, to, (uint64_t)about.st_size), 0);
    }
}

static bool count_event(void *user, const struct otter_event *event)
{
    (void)event;
    ++*(size_t *)user;
    return true;
}

// Merges "a", forges the local definitions of location 1, and returns the damage of the location,
// or "". Other locations can still be read. Valid until the next call.
static const char *damage_by(const struct forgery *forgery)
{
    static unsigned n_calls;
    static char text[1024];
    const char *merged = in_test_folder("forged-%u", n_calls++);
    struct otter_archive *archive;
    assert_int_equal(otter_archive_open(in_test_folder("a"), &archive, &complaint), OTTER_OK);
    assert_int_equal(merge(merged, N_LOCATIONS, otter_archive_definitions(archive)), OTTER_OK);
    copy_events(merged);
    forge(merged, otter_archive_definitions(archive), forgery);
    otter_archive_close(archive);

    assert_int_equal(otter_archive_open_rank(merged, 0, &archive, &complaint), OTTER_OK);
    const struct otter_location *locations = otter_archive_definitions(archive)->locations;
    snprintf(text, sizeof text, "%s", locations[1].damage ? locations[1].damage : "");
    for (size_t i = 0; i < N_LOCATIONS; i++) {
        size_t n = 0;
        bool is_damaged = i == 1 && *text;
        assert_int_equal(otter_archive_read(archive, i, count_event, &n, NULL, &complaint),
                         is_damaged ? OTTER_BAD_ARCHIVE : OTTER_OK);
        assert_int_equal(n > 0, i < 2 && !is_damaged);
    }
    otter_archive_close(archive);
    return text;
}

static void local_definitions_of_a_rank_are_complete_and_equal(void **state)
{
    (void)state;
    assert_string_equal(damage_by(&(struct forgery){.n_offsets = 2}), "");
    assert_non_null(strstr(damage_by(&(struct forgery){.n_offsets = 2, .lacks_parameters = true}),
                           "/1.def' does not map all definitions of its rank"));
    assert_non_null(strstr(damage_by(&(struct forgery){.n_offsets = 2, .lacks_metrics = true}),
                           "/1.def' does not map all definitions of its rank"));
    assert_non_null(strstr(damage_by(&(struct forgery){.n_offsets = 1}),
                           "/1.def' lacks the offsets of its rank's clock"));
    assert_non_null(strstr(damage_by(&(struct forgery){.n_offsets = 3}),
                           "/1.def' has other definitions than the rest of its rank"));
    assert_non_null(strstr(damage_by(&(struct forgery){.n_offsets = 2, .has_other_region = true}),
                           "/1.def' has other definitions than the rest of its rank"));
}

// ---- calling contexts

// Merges an archive with calling contexts, as the command does.
static enum otter_status merge_contexts(const char *name, uint32_t first, uint32_t n)
{
    struct archive_options options = {.n_tasks = 1, .first_context = first, .n_contexts = n};
    char *paths[] = {strdup(in_test_folder("%s", name))};
    assert_true(write_archive(paths[0], &options));
    char *output = strdup(in_test_folder("%s-merged", name));
    struct otter_merge_request request = {
        .paths = paths, .n_paths = 1, .output = output, .is_forced = true};
    struct otter_merge_result result = {0};
    enum otter_status status = otter_merge(&request, &result, &complaint);
    free(result.archive);
    free(paths[0]);
    free(output);
    return status;
}

static void a_rank_may_have_many_calling_contexts(void **state)
{
    struct otter_archive *archive;
    enum { N = 100000 };
    (void)state;
    assert_int_equal(merge_contexts("many", 0, N), OTTER_OK);
    assert_int_equal(
        otter_archive_open_rank(in_test_folder("many-merged"), 0, &archive, &complaint), OTTER_OK);
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    assert_int_equal(definitions->n_contexts, N);
    assert_int_equal(definitions->contexts[N - 1].parent, N - 2);
    assert_null(definitions->locations[1].damage);
    otter_archive_close(archive);
}

static void calling_contexts_with_other_numbers_are_refused(void **state)
{
    (void)state;
    assert_int_equal(merge_contexts("sparse", 5, 2), OTTER_NOT_FOUND); // no archive is left
}

static int set_up(void **state)
{
    struct archive_options options = {.n_tasks = N_TASKS, .has_kokkos = true};
    return make_test_folder(state) || !write_archive(in_test_folder("a"), &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_that_changes_is_refused),
        cmocka_unit_test(local_definitions_of_a_rank_are_complete_and_equal),
        cmocka_unit_test(a_rank_may_have_many_calling_contexts),
        cmocka_unit_test(calling_contexts_with_other_numbers_are_refused),
    };
    return cmocka_run_group_tests_name("merge", tests, set_up, remove_test_folder);
}
