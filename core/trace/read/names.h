// Names of OTF2's roles and paradigms. Never NULL.
#pragma once

#include <otf2/otf2.h>

const char *otter_reader_role_name(OTF2_RegionRole role);
const char *otter_reader_paradigm_name(OTF2_Paradigm paradigm);
