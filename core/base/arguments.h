// Reads settings from the arguments that Kokkos passes to its tools: tokens `name=value` or
// `--name=value`.
//
// Kokkos may pass them before the first event, long after it, or twice. Some tokens are not
// settings at all, but the program's name or arguments of the next tool. Each token gets at most
// one warning. Thread: the caller holds the session's lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/settings.h"

// Applies each setting in `tokens`; the last value of a name wins. Warns of a bad value, and of a
// change that comes too late (`time` in the table is before `now`). Returns whether a value has
// changed.
bool otter_arguments_apply(size_t n, char *const *tokens, enum otter_setting_time now);

// Warns of each token that is not a setting (unknown name, no value, a word), except paths.
// If the setting `chain` names a next tool, warns only of names that are similar to a setting's.
void otter_arguments_warn(size_t n, char *const *tokens);

// Applies the settings in the variable KOKKOS_TOOLS_ARGS, before Kokkos passes them.
void otter_arguments_apply_variable(void);

// Applies the settings in a program's argument, if it is `--kokkos-tools-args=...`.
void otter_arguments_apply_option(const char *argument);
