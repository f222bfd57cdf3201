// Fuzzes the environment and the arguments that Kokkos passes to its tools.
//
// The first byte is the number of environment entries among the texts, each of which ends with a
// zero. The other texts are arguments.
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/settings.h"
#include "fuzz.h"

enum { MAX_TEXTS = 24 };

extern char **environ;

static void ask_for_all(void)
{
    size_t n;
    const struct otter_setting *table = otter_settings_table(&n);
    for (size_t i = 0; i < n; i++) {
        const char *value = otter_settings_get(table[i].name);
        fuzz_expect(otter_setting_accepts(&table[i], value), "what is in force could be set");
        fuzz_expect(otter_setting_is(&table[i], value), "what is in force is in force");
        otter_settings_get_bool(table[i].name);
        otter_settings_get_size(table[i].name);
    }
}

// Splits `room` at zeros. *Returns* the number of texts. The caller owns their memory.
static size_t split(char *room, size_t size, char **texts)
{
    size_t n = 0;
    for (char *at = room; at < room + size && n < MAX_TEXTS; at += strlen(at) + 1) {
        texts[n++] = at;
    }
    return n;
}

static void take(char **texts, size_t n_entries, size_t n_arguments, uint8_t how)
{
    char *entries[MAX_TEXTS + 1] = {NULL};
    for (size_t i = 0; i < n_entries; i++) {
        entries[i] = texts[i];
    }
    char **before = environ;
    environ = entries;
    otter_settings_load();
    if (how & 1) {
        otter_settings_warn_for_all();
        otter_settings_load();
    }
    unsetenv("OTTER_TOLD");
    environ = before;
    ask_for_all();
    otter_arguments_apply(n_arguments, texts + n_entries,
                          (enum otter_setting_time)(how >> 1 & 3) % 3);
    otter_arguments_warn(n_arguments, texts + n_entries);
    ask_for_all();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    uint8_t how = fuzz_byte(&bytes);
    char *room = calloc(1, bytes.n + 1), *texts[MAX_TEXTS];
    if (!room) {
        return 0;
    }
    memcpy(room, data + (size - bytes.n), bytes.n);
    size_t n = split(room, bytes.n, texts), n_entries = how >> 3;
    n_entries = n_entries < n ? n_entries : n;
    take(texts, n_entries, n - n_entries, how);
    free(room);
    return 0;
}
