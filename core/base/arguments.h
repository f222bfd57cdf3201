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

// Warns of each argument that is no setting: unknown names, missing values, words. A path is no
// mistake. With the setting `chain` the further tool may know the argument: then warns only of
// names that are nearly those of settings.
void otter_arguments_doubt(size_t n, char *const *tokens);

// Takes settings out of what Kokkos will hand over later: out of its variable KOKKOS_TOOLS_ARGS, and out of an argument of the
// program, if that is --kokkos-tools-args=...
void otter_arguments_take_variable(void);
void otter_arguments_take_option(const char *argument);
