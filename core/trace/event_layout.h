// The bytes of OTF2 3.0 event files that we look at ourselves; core/trace/event_file.h explains them.
#pragma once

enum {
    RECORD_END_OF_CHUNK = 0x00,
    RECORD_END_OF_BUFFER = 0x01,
    RECORD_END_OF_FILE = 0x02,
    CHUNK_HEADER = 0x03,
    RECORD_TIME = 0x05,
    RECORD_ATTRIBUTES = 0x06, // belong to the record behind: no event of their own
    RECORD_ENTER = 0x0c,
    RECORD_LEAVE = 0x0d,
    RECORD_TEAM_BEGIN = 0x37,
    RECORD_TEAM_END = 0x38,
    LONG_LENGTH = 0xff,

    FIRST_EVENT_OFFSET = 2,
    LAST_EVENT_OFFSET = 10,
    HEADER_SIZE = 18,
    END_SIZE = 2,
    TIME_SIZE = 9,
    LONG_HEADER_SIZE = 10,
};
