// An OTF2 whose events have an unknown layout: the linker replaces OTF2's function by
// __wrap_OTF2_EvtWriter_Leave.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "folder.h"
#include "otter/record.h"
#include "trace/write/layout_probe.h"

static const char code[1];

OTF2_ErrorCode __real_OTF2_EvtWriter_Leave(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                           OTF2_TimeStamp time, OTF2_RegionRef region);
OTF2_ErrorCode __wrap_OTF2_EvtWriter_Leave(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                           OTF2_TimeStamp time, OTF2_RegionRef region);

OTF2_ErrorCode __wrap_OTF2_EvtWriter_Leave(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                           OTF2_TimeStamp time, OTF2_RegionRef region)
{
    return __real_OTF2_EvtWriter_Leave(writer, attributes, time, region + 1);
}

static void record(void)
{
    setenv("OTTER_FOLDER", in_test_folder("trace"), 1);
    otter_attach("test");
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_detach("test");
}

static void an_unknown_layout_is_said_with_versions_and_a_way_out(void **state)
{
    assert_false(otter_layout_is_known());
    const char *said = stderr_of(record);
    assert_non_null(strstr(said, "layout of events is not that of OTF2 " OTTER_KNOWN_OTF2));
    assert_non_null(strstr(said, "built with OTF2 " OTF2_VERSION));
    assert_non_null(strstr(said, "-Dotf2=bundled"));
    assert_null(strstr(said, "trace-path"));               // another folder would not help
    assert_null(strstr(strchr(said, '|') + 1, "otter: ")); // once
    assert_false(exists(in_test_folder("trace")));
    assert_false(exists(in_test_folder("trace.recording")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_layout_is_said_with_versions_and_a_way_out),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
