// Before anything else of a file whose memory may fail.
#pragma once

#define MEMORY_MAY_FAIL
#include "failing.h"
