// Functions that all callbacks of definitions need.
#include "trace/read/callback.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

OTF2_CallbackCode otter_reader_out_of_memory(struct otter_archive *archive)
{
    archive->is_short_of_memory = true;
    return OTF2_CALLBACK_INTERRUPT;
}

const char *otter_reader_string(const struct otter_archive *archive, OTF2_StringRef id)
{
    uint32_t index = otter_ids_find(&archive->string_ids, id);
    return index == OTTER_NONE ? "" : ((char **)archive->strings.items)[index];
}

void *otter_reader_add(struct otter_list *list, struct otter_ids *ids, uint64_t id, size_t size)
{
    void *item = otter_list_add(list, size);
    return item && otter_ids_add(ids, id) ? item : NULL;
}

const char *otter_reader_property_text(struct otter_archive *archive, OTF2_Type type,
                                       OTF2_AttributeValue value)
{
    char text[32] = "";
    switch (type) {
    case OTF2_TYPE_STRING: return otter_reader_string(archive, value.stringRef);
    case OTF2_TYPE_UINT64: snprintf(text, sizeof text, "%" PRIu64, value.uint64); break;
    case OTF2_TYPE_UINT32: snprintf(text, sizeof text, "%" PRIu32, value.uint32); break;
    case OTF2_TYPE_INT64: snprintf(text, sizeof text, "%" PRId64, value.int64); break;
    case OTF2_TYPE_INT32: snprintf(text, sizeof text, "%" PRId32, value.int32); break;
    default: break;
    }
    char **item = otter_list_add(&archive->texts, sizeof *item);
    if (item) {
        *item = strdup(text);
    }
    return item ? *item : NULL;
}
