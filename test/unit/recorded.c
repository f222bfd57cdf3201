// Plays a story in a child process and lists its archive.
#include "recorded.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "folder.h"
#include "listing.h"
#include "otter/record.h"

static void (*to_play)(void);

static void play(void)
{
    setenv("OTTER_FOLDER", in_test_folder("trace"), 1);
    setenv("OTTER_QUIET", "on", 1);
    if (!otter_attach("test")) {
        _exit(2);
    }
    to_play();
    otter_detach("test");
}

const char *archive_of(void (*story)(void))
{
    const char *archive = in_test_folder("trace"), *recording = in_test_folder("trace.recording");
    char command[512];
    snprintf(command, sizeof(command), "rm -rf '%s' '%s'", archive, recording);
    assert_int_equal(system(command), 0);
    to_play = story;
    assert_int_equal(status_of_child(play), 0);
    assert_false(exists(in_test_folder("trace.recording")));
    return in_test_folder("trace");
}

void expect_location(size_t location, const char *expected)
{
    char *text = list_location(in_test_folder("trace"), location);
    assert_string_equal(text, expected);
    free(text);
}

void expect_story(void (*story)(void), const char *expected)
{
    assert_true(is_valid_for_otf2(archive_of(story)));
    expect_location(0, expected);
    expect_property("OTTER::LOST", "0");
}

void expect_property(const char *name, const char *expected)
{
    assert_string_equal(property_of(in_test_folder("trace"), name), expected);
}
