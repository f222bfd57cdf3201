// The settings: a table with name, type, default and help, and the values in force.
//
// A Kokkos argument (arguments.h) overrides the environment, which overrides the default.
// `otter record --trace-path=X` sets the variable OTTER_TRACE_PATH. Thread: the holder of the
// session's lock sets values; any thread reads them.
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
    OTTER_SETTING_NUMBER, // a number with the same suffixes, but not of bytes
};

// The latest time at which a change of the value has an effect.
enum otter_setting_time {
    OTTER_SETTING_UNTIL_START = 0, // until the session begins
    OTTER_SETTING_UNTIL_OPEN,      // until the first event
    OTTER_SETTING_UNTIL_END,
};

struct otter_setting {
    const char *name;        // name on a command line: lower case, with hyphens
    const char *environment; // OTTER_...
    enum otter_setting_type type;
    enum otter_setting_time time;
    const char *default_value;
    const char *choices; // "auto|on|off"; NULL for other types
    uint64_t min, max;   // limits of a size
    const char *help;    // help text of one line
};

// Returns the table, which has `*n` rows.
const struct otter_setting *otter_settings_table(size_t *n);

// Returns the row of a name in any spelling (trace-path, --trace-path, OTTER_TRACE_PATH,
// trace_path), or NULL.
const struct otter_setting *otter_settings_find(const char *name);

// Returns the row whose name differs from `name` by at most two letters, and by at most a quarter
// of its letters; or NULL.
const struct otter_setting *otter_settings_nearest(const char *name);

// Returns the accepted values for a message: "on or off". May write them into `text`.
enum { OTTER_SETTING_WANTED_SIZE = 80 };
const char *otter_setting_wanted(const struct otter_setting *setting,
                                 char text[OTTER_SETTING_WANTED_SIZE]);

// Returns whether the setting can have this value.
bool otter_setting_accepts(const struct otter_setting *setting, const char *value);

// Returns whether the setting has this value now.
bool otter_setting_is(const struct otter_setting *setting, const char *value);

// Resets each setting to its default, then reads the environment. Warns of each unknown OTTER_
// variable and bad value, unless `quiet` is on.
void otter_settings_load(void);

// Like otter_settings_load, but also stores the warnings in the environment, so that processes that
// inherit it do not warn again. Traced programs must not use this.
void otter_settings_warn_for_all(void);

// Sets a value; copies `value`. Prints nothing.
// Errors: OTTER_NOT_FOUND, OTTER_BAD_VALUE, OTTER_NO_MEMORY.
enum otter_status otter_settings_set(const char *name, const char *value);

// Warns that otter_settings_set failed with status `why`, and names the accepted values.
void otter_settings_complain(enum otter_status why, const char *name, const char *value);

// Reads a size such as 10G. Returns false for another text.
bool otter_settings_parse_size(const char *text, uint64_t *value);

// Returns the value in force; "" for an unknown name.
const char *otter_settings_get(const char *name);
bool otter_settings_get_bool(const char *name);
uint64_t otter_settings_get_size(const char *name);
