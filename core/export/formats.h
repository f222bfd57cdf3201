// The formats of `otter export`, each in a file of its own.
#pragma once

#include "export/parts.h"

otter_conversion_function otter_convert_to_chrome, otter_convert_to_perfetto,
    otter_convert_to_collapsed, otter_convert_to_speedscope, otter_convert_to_csv,
    otter_convert_to_json;
otter_conversion_end otter_end_chrome, otter_end_speedscope, otter_end_json;
