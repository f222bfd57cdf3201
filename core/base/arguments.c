// Reads settings from the arguments that Kokkos passes to its tools, and warns of the other
// arguments.
#include "base/arguments.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text/texts.h"

enum { MAX_NAME = 80 }; // longer than any setting's name

// Returns the setting that `token` names, or NULL. Copies the name, as it is written in `token`, to
// `name`; a long name is cut.
static const struct otter_setting *setting_of(const char *token, char name[MAX_NAME])
{
    size_t length = strcspn(token, "=");
    bool is_cut = length >= MAX_NAME;
    length = is_cut ? MAX_NAME - 1 : length;
    memcpy(name, token, length);
    name[length] = '\0';
    return is_cut ? NULL : otter_settings_find(name);
}

// Returns whether a later token sets the same setting: the last value wins.
static bool is_overridden(const struct otter_setting *setting, size_t n, char *const *tokens)
{
    char name[MAX_NAME];
    for (size_t i = 0; i < n; i++) {
        if (strchr(tokens[i], '=') && setting_of(tokens[i], name) == setting) {
            return true;
        }
    }
    return false;
}

static void warn_late(const struct otter_setting *setting, const char *token)
{
    const char *value = otter_settings_get(setting->name);
    if (otter_text_is_new(token)) {
        otter_warning("setting '%s' comes too late and is ignored: %s='%s' stays in force (set the "
                      "environment variable %s instead)",
                      token, setting->name, value, setting->environment);
    }
}

static bool set(const struct otter_setting *setting, const char *name, const char *token)
{
    const char *value = strchr(token, '=') + 1;
    enum otter_status status = otter_settings_set(setting->name, value);
    if (status && otter_text_is_new(token)) {
        otter_settings_complain(status, name, value);
    }
    return !status;
}

// Applies the first of `n` tokens if it is a setting. Returns whether a value has changed.
static bool apply(size_t n, char *const *tokens, enum otter_setting_time now)
{
    char name[MAX_NAME];
    const struct otter_setting *setting = setting_of(*tokens, name);
    const char *equals = strchr(*tokens, '=');
    if (!setting || !equals || otter_setting_is(setting, equals + 1)) {
        return false;
    }
    if (now <= setting->time || !otter_setting_accepts(setting, equals + 1)) {
        return set(setting, name, *tokens);
    }
    if (!is_overridden(setting, n - 1, tokens + 1)) {
        warn_late(setting, *tokens);
    }
    return false;
}

// Warns of a token without a value, of an unknown setting and of a word that is not a setting.
static void warn(const char *token)
{
    char name[MAX_NAME], wanted[OTTER_SETTING_WANTED_SIZE];
    const struct otter_setting *setting = setting_of(token, name);
    const char *equals = strchr(token, '=');
    bool is_dashed = token[0] == '-';
    bool is_none = token[is_dashed] == '\0' || (!is_dashed && strchr(name, '/'));
    if (is_none || (setting && equals) || !otter_text_is_new(token)) {
        return;
    }
    if (setting) {
        otter_warning("argument '%s' ignored: it has no value (%s=%s)", token, setting->name,
                      otter_setting_wanted(setting, wanted));
    } else if (is_dashed || equals) {
        otter_settings_complain(OTTER_NOT_FOUND, *name ? name : token, "");
    } else {
        otter_warning("argument '%s' ignored: a setting is name=value (otter info --settings)",
                      token);
    }
}

bool otter_arguments_apply(size_t n, char *const *tokens, enum otter_setting_time now)
{
    bool is_changed = false;
    for (size_t i = 0; i < n; i++) {
        is_changed = apply(n - i, tokens + i, now) || is_changed;
    }
    return is_changed;
}

// Warns only of a name that is similar to a setting's: the next tool gets the same arguments.
static void warn_shared(const char *token)
{
    char name[MAX_NAME];
    bool is_known = setting_of(token, name) != NULL;
    const struct otter_setting *nearest = strchr(token, '=') ? otter_settings_nearest(name) : NULL;
    if (!is_known && nearest && otter_text_is_new(token)) {
        otter_warning(
            "argument '%s' is not a setting of Otter (did you mean %s?); it is passed to the next "
            "tool (setting chain)",
            token, nearest->name);
    }
}

void otter_arguments_warn(size_t n, char *const *tokens)
{
    bool are_shared = *otter_settings_get("chain");
    for (size_t i = 0; i < n; i++) {
        if (are_shared) {
            warn_shared(tokens[i]);
        } else {
            warn(tokens[i]);
        }
    }
}

// Splits at blanks and tabs, as Kokkos does; quotes are recognised only around the whole text. An
// unknown token is not an error here, because it may belong to another tool.
static void apply_text(const char *text)
{
    size_t length = strlen(text), n = 0;
    char **tokens = calloc(length + 1, sizeof(*tokens));
    char *copy = strdup(text), *rest = copy;
    if (tokens && copy) {
        if (length >= 2 && copy[0] == '"' && copy[length - 1] == '"') {
            copy[length - 1] = '\0';
            rest++;
        }
        for (char *token; (token = strsep(&rest, " \t"));) {
            tokens[n++] = token;
        }
        otter_arguments_apply(n, tokens, OTTER_SETTING_UNTIL_START);
    }
    free(copy);
    free(tokens);
}

void otter_arguments_apply_variable(void)
{
    const char *value = getenv("KOKKOS_TOOLS_ARGS");
    if (value) {
        apply_text(value);
    }
}

void otter_arguments_apply_option(const char *argument)
{
    static const char option[] = "--kokkos-tools-args=";
    if (strncmp(argument, option, sizeof(option) - 1) == 0) {
        apply_text(argument + sizeof(option) - 1);
    }
}
