// Functions that all parts of a merge need: numbering definitions, strings, reading.
#include "trace/merge/merger.h"

#include <stdlib.h>

#include "base/path.h"
#include "trace/complaint.h"
#include "trace/read/definitions.h"
#include "trace/read/state.h"

// The first string of each table is "", so that number 0 can mean failure.
uint32_t otter_merge_number(struct otter_merger *merger, enum otter_merge_kind kind, char *key,
                            bool *is_new)
{
    *is_new = false;
    struct otter_strings **known = &merger->known[kind];
    if (!*known) {
        *known = otter_strings_create();
        if (*known) {
            otter_strings_intern(*known, "", is_new);
        }
    }
    *is_new = false;
    uint32_t number = *known && key ? otter_strings_intern(*known, key, is_new) : 0;
    free(key);
    if (number == 0) {
        otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
    }
    return number - 1;
}

void otter_merge_add(struct otter_merger *merger, enum otter_merge_kind kind, uint64_t number)
{
    uint64_t *item = otter_list_add(&merger->maps[kind], sizeof *item);
    if (item) {
        *item = number;
    } else {
        otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
    }
}

uint64_t otter_merge_find(const struct otter_merger *merger, enum otter_merge_kind kind,
                          uint64_t id, uint64_t undefined)
{
    const struct otter_list *map = &merger->maps[kind];
    return id < map->n ? ((uint64_t *)map->items)[id] : undefined;
}

// Texts are copied unchanged: paths of modules may contain any bytes.
uint32_t otter_merge_text(struct otter_merger *merger, const char *text)
{
    bool is_new;
    uint32_t number =
        otter_merge_number(merger, OTTER_MERGE_TEXTS, otter_path("\"%s", text), &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteString(merger->archive.writer, number, text);
    }
    return number;
}

uint32_t otter_merge_string(const struct otter_merger *merger, uint64_t id)
{
    return (uint32_t)otter_merge_find(merger, OTTER_MERGE_TEXTS, id, OTF2_UNDEFINED_STRING);
}

OTF2_CallbackCode otter_merge_on_string(void *user, OTF2_StringRef self, const char *text)
{
    otter_merge_add(user, OTTER_MERGE_TEXTS, otter_merge_text(user, text));
    return otter_merge_result(user);
}

OTF2_CallbackCode otter_merge_result(const struct otter_merger *merger)
{
    return merger->archive.error ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static enum otter_status read_archive(struct otter_merger *merger, struct otter_archive *source,
                                      const OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReader *reader = otter_reader_open_definitions(source);
    if (!reader) {
        return OTTER_BAD_ARCHIVE;
    }
    OTF2_Reader_RegisterGlobalDefCallbacks(source->reader, reader, callbacks, merger);
    uint64_t n_read = 0;
    OTF2_ErrorCode error = OTF2_Reader_ReadAllGlobalDefinitions(source->reader, reader, &n_read);
    OTF2_Reader_CloseGlobalDefReader(source->reader, reader);
    return merger->archive.error ? merger->archive.error : error ? OTTER_BAD_ARCHIVE : OTTER_OK;
}

enum otter_status otter_merge_open(const struct otter_merge_rank *rank,
                                   struct otter_archive **source, struct otter_complaint *complaint)
{
    enum otter_status status = otter_archive_open_definitions(rank->archive, source, complaint);
    if (!status && otter_archive_definitions(*source)->n_locations != rank->n_locations) {
        otter_archive_close(*source);
        *source = NULL;
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s' has changed during the merge: merge again", rank->archive);
    }
    if (!status) {
        complaint->text[0] = '\0';
    }
    return status;
}

enum otter_status otter_merge_read(struct otter_merger *merger,
                                   OTF2_GlobalDefReaderCallbacks *callbacks,
                                   struct otter_complaint *complaint)
{
    struct otter_archive *source = NULL;
    for (int i = 0; i < OTTER_MERGE_KINDS; i++) {
        merger->maps[i].n = 0;
    }
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, otter_merge_on_string);
    enum otter_status status = otter_merge_open(merger->rank, &source, complaint);
    otter_archive_watch_errors(&merger->archive);
    if (!status) {
        status = read_archive(merger, source, callbacks);
    }
    if (source && status == OTTER_BAD_ARCHIVE) {
        otter_complain(complaint, status, "'%s': its definitions cannot be read",
                       merger->rank->archive);
    }
    otter_archive_close(source);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    return status;
}
