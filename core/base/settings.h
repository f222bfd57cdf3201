// The settings: one table with name, type, default and help. Three doors lead to it: the environment (OTTER_TRACE_PATH),
// --kokkos-tools-args (trace-path=... or --trace-path=...), and `otter record --trace-path=...`, which sets the environment.
// Later doors win: default, environment, arguments (arguments.h).
//
// Values are set under the session's lock, and read by any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum otter_setting_type {
    OTTER_SETTING_TEXT = 0,
    OTTER_SETTING_BOOL,   // on | off (also yes, no, true, false, 1, 0)
    OTTER_SETTING_CHOICE, // one of `choices`
    OTTER_SETTING_SIZE,   // bytes; a number with optional K, M or G (powers of 1024)
};

// Until when a value can be changed: who uses it has done so afterwards.
enum otter_setting_time {
    OTTER_SETTING_UNTIL_START = 0, // until the session begins
    OTTER_SETTING_UNTIL_OPEN,      // until the first event
    OTTER_SETTING_UNTIL_END,
};

struct otter_setting {
    const char *name;        // as on a command line: lower case, hyphens
    const char *environment; // OTTER_...
    enum otter_setting_type type;
    enum otter_setting_time time;
    const char *default_value;
    const char *choices; // "auto|on|off"; NULL for other types
    uint64_t min, max;   // of a size
    const char *help;    // one line
};

// The table; `*n` rows.
const struct otter_setting *otter_settings_table(size_t *n);

// The row of a name in any of its spellings (trace-path, --trace-path, OTTER_TRACE_PATH, trace_path), or NULL.
const struct otter_setting *otter_settings_find(const char *name);

// Returns the row whose name is `name` but for a few letters, one in four and two at most; NULL
// when there is none.
const struct otter_setting *otter_settings_nearest(const char *name);

// What a value may be, for a message: "on or off". `text` is room for it, and may be what is returned.
enum { OTTER_SETTING_WANTED_SIZE = 80 };
const char *otter_setting_wanted(const struct otter_setting *setting,
                                 char text[OTTER_SETTING_WANTED_SIZE]);

// Whether `value` can be one of that setting's, and whether it says what is in force.
bool otter_setting_takes(const struct otter_setting *setting, const char *value);
bool otter_setting_is(const struct otter_setting *setting, const char *value);

// Takes every setting from its default, then from the environment. One warning for each unknown OTTER_ variable or bad value, unless
// `quiet` is on.
void otter_settings_load(void);

// Warns likewise, for all processes that inherit the environment: they say nothing of these variables any more. Not in a traced program.
void otter_settings_warn_for_all(void);

// Sets one value. OTTER_NOT_FOUND: no such setting; OTTER_BAD_VALUE. The value is copied. Says nothing.
enum otter_status otter_settings_set(const char *name, const char *value);

// One warning: why otter_settings_set did not take `value` for `name`, and what is right.
void otter_settings_complain(enum otter_status why, const char *name, const char *value);

// The value in force; never NULL for a name in the table, and "" for none.
const char *otter_settings_get(const char *name);
bool otter_settings_get_bool(const char *name);
uint64_t otter_settings_get_size(const char *name);
