// Interns strings.
#include "base/text/strings.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    char *string;
    uint32_t number;
};

struct otter_strings {
    struct entry *slots; // open addressing; `room` is a power of two, at most half is used
    size_t n, room;
};

enum { FIRST_ROOM = 256 };

struct otter_strings *otter_strings_create(void)
{
    struct otter_strings *strings = calloc(1, sizeof(*strings));
    if (!strings) {
        return NULL;
    }
    strings->slots = calloc(FIRST_ROOM, sizeof(*strings->slots));
    if (!strings->slots) {
        free(strings);
        return NULL;
    }
    strings->room = FIRST_ROOM;
    return strings;
}

void otter_strings_destroy(struct otter_strings *strings)
{
    if (!strings) {
        return;
    }
    for (size_t i = 0; i < strings->room; i++) {
        free(strings->slots[i].string);
    }
    free(strings->slots);
    free(strings);
}

uint64_t otter_string_hash(const char *string)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *string; string++) {
        h = (h ^ (unsigned char)*string) * UINT64_C(0x100000001b3);
    }
    return h;
}

static struct entry *find_slot(struct entry *slots, size_t room, const char *string)
{
    size_t i = otter_string_hash(string) & (room - 1);
    while (slots[i].string && strcmp(slots[i].string, string) != 0) {
        i = (i + 1) & (room - 1);
    }
    return &slots[i];
}

static bool grow(struct otter_strings *strings)
{
    size_t room = strings->room * 2;
    struct entry *slots = calloc(room, sizeof(*slots));
    if (!slots) {
        return false;
    }
    for (size_t i = 0; i < strings->room; i++) {
        if (strings->slots[i].string) {
            *find_slot(slots, room, strings->slots[i].string) = strings->slots[i];
        }
    }
    free(strings->slots);
    strings->slots = slots;
    strings->room = room;
    return true;
}

uint32_t otter_strings_intern(struct otter_strings *strings, const char *string, bool *is_new)
{
    *is_new = false;
    struct entry *slot = find_slot(strings->slots, strings->room, string);
    if (slot->string) {
        return slot->number;
    }
    if (strings->n * 2 >= strings->room) {
        if (!grow(strings)) {
            return 0;
        }
        slot = find_slot(strings->slots, strings->room, string);
    }
    slot->string = strdup(string);
    if (!slot->string) {
        return 0;
    }
    slot->number = (uint32_t)strings->n++;
    *is_new = true;
    return slot->number;
}
