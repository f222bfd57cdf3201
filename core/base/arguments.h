// The arguments that Kokkos hands to its tools, as a door to the settings: tokens of the form name=value or --name=value.
//
// They may come before anything is recorded, long after, twice, and mixed with what is no argument at all: the program's name, or a
// further tool's arguments. A warning about a token is given once, however often the token comes and whoever brings it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/settings.h"

// Takes the settings out of `tokens`; the last one of a name wins. Warns of a bad value, and of a setting that would change but whose time
// is over: `now` is past its row's `time`. Returns whether a value has changed.
bool otter_arguments_take(size_t n, char *const *tokens, enum otter_setting_time now);

// Warns of what is no setting, when they are Otter's: unknown names, missing values, words. Only a path may be meant otherwise. With the
// setting `chain`, what Otter does not know may be the further tool's: then only for a name that is nearly one of Otter's.
void otter_arguments_doubt(size_t n, char *const *tokens);

// Takes settings out of what Kokkos will hand over later: out of its variable KOKKOS_TOOLS_ARGS, and out of an argument of the
// program, if that is --kokkos-tools-args=...
void otter_arguments_take_variable(void);
void otter_arguments_take_option(const char *argument);
