// The fields of the records of OTF2 3.0.
#include "trace/read/checked/formats.h"

#include <stdint.h>
#include <string.h>

#include <otf2/otf2.h>

// The formats of records:
//
// - b: a byte
// - c: a number of 4 or 8 bytes without its leading zeros, after their count; count 0xff: all ones
// - q: 8 bytes
// - s: text that ends with a zero
// - v: a value of the type in the previous byte
// - m: a table of ids
// - (...): repeated as often as the preceding number says
// - ?: the rest may be missing (added after version 1)
static const char *const event_formats[] = {
    [6] = "c(cbv)",  // attributes of the next event
    [10] = "q",      // BufferFlush
    [11] = "b",      // MeasurementOnOff
    [12] = "c",      // Enter
    [13] = "c",      // Leave
    [14] = "cccc",   // MpiSend
    [15] = "ccccc",  // MpiIsend
    [16] = "c",      // MpiIsendComplete
    [17] = "c",      // MpiIrecvRequest
    [18] = "cccc",   // MpiRecv
    [19] = "ccccc",  // MpiIrecv
    [20] = "c",      // MpiRequestTest
    [21] = "c",      // MpiRequestCancelled
    [23] = "bcccc",  // MpiCollectiveEnd
    [24] = "c",      // OmpFork
    [26] = "cc",     // OmpAcquireLock
    [27] = "cc",     // OmpReleaseLock
    [28] = "c",      // OmpTaskCreate
    [29] = "c",      // OmpTaskSwitch
    [30] = "c",      // OmpTaskComplete
    [31] = "cb(bc)", // Metric
    [32] = "cc",     // ParameterString
    [33] = "cc",     // ParameterInt
    [34] = "cc",     // ParameterUnsignedInt
    [35] = "c",      // RmaWinCreate
    [36] = "c",      // RmaWinDestroy
    [38] = "bccccc", // RmaCollectiveEnd
    [39] = "ccc",    // RmaGroupSync
    [40] = "cccb",   // RmaRequestLock
    [41] = "cccb",   // RmaAcquireLock
    [42] = "cccb",   // RmaTryLock
    [43] = "ccc",    // RmaReleaseLock
    [44] = "ccb",    // RmaSync
    [45] = "c",      // RmaWaitChange
    [46] = "cccc",   // RmaPut
    [47] = "cccc",   // RmaGet
    [48] = "ccbccc", // RmaAtomic
    [49] = "cc",     // RmaOpCompleteBlocking
    [50] = "cc",     // RmaOpCompleteNonBlocking
    [51] = "cc",     // RmaOpTest
    [52] = "cc",     // RmaOpCompleteRemote
    [53] = "bc",     // ThreadFork
    [54] = "b",      // ThreadJoin
    [55] = "c",      // ThreadTeamBegin
    [56] = "c",      // ThreadTeamEnd
    [57] = "bcc",    // ThreadAcquireLock
    [58] = "bcc",    // ThreadReleaseLock
    [59] = "ccc",    // ThreadTaskCreate
    [60] = "ccc",    // ThreadTaskSwitch
    [61] = "ccc",    // ThreadTaskComplete
    [62] = "cc",     // ThreadCreate
    [63] = "cc",     // ThreadBegin
    [64] = "cc",     // ThreadWait
    [65] = "cc",     // ThreadEnd
    [66] = "cc",     // CallingContextEnter
    [67] = "c",      // CallingContextLeave
    [68] = "ccc",    // CallingContextSample
    [69] = "cbcc",   // IoCreateHandle
    [70] = "c",      // IoDestroyHandle
    [71] = "ccc",    // IoDuplicateHandle
    [72] = "ccbc",   // IoSeek
    [73] = "cc",     // IoChangeStatusFlags
    [74] = "bc",     // IoDeleteFile
    [75] = "cbccc",  // IoOperationBegin
    [76] = "cc",     // IoOperationTest
    [77] = "cc",     // IoOperationIssued
    [78] = "ccc",    // IoOperationComplete
    [79] = "cc",     // IoOperationCancelled
    [80] = "cb",     // IoAcquireLock
    [81] = "cb",     // IoReleaseLock
    [82] = "cb",     // IoTryLock
    [83] = "cc(c)",  // ProgramBegin
    [84] = "c",      // ProgramEnd
    [85] = "c",      // NonBlockingCollectiveRequest
    [86] = "bccccc", // NonBlockingCollectiveComplete
    [87] = "c",      // CommCreate
    [88] = "c",      // CommDestroy
};

// Definitions of global and local files, except the definitions below.
static const char *const definition_formats[] = {
    [10] = "cs",           // String
    [11] = "ccb?c",        // Attribute
    [12] = "cccc",         // SystemTreeNode
    [13] = "ccbc?c",       // LocationGroup
    [14] = "ccbcc",        // Location
    [15] = "cccbccc?cbbc", // Region
    [16] = "ccccc",        // Callsite
    [17] = "ccc",          // Callpath
    [18] = "ccbc(c)?bbc",  // Group
    [19] = "cccbbbbcc",    // MetricMember
    [20] = "cb(c)b?b",     // MetricClass
    [21] = "cccbc",        // MetricInstance
    [22] = "cccc?c",       // Comm
    [23] = "ccb",          // Parameter
    [24] = "ccc?c",        // RmaWin
    [25] = "cc",           // MetricClassRecorder
    [26] = "ccc?bv",       // SystemTreeNodeProperty
    [27] = "cb",           // SystemTreeNodeDomain
    [28] = "ccc?bv",       // LocationGroupProperty
    [29] = "ccc?bv",       // LocationProperty
    [30] = "cccb",         // CartDimension
    [31] = "cccb(c)",      // CartTopology
    [32] = "ccb(c)",       // CartCoordinate
    [33] = "ccc",          // SourceCodeLocation
    [34] = "cccc",         // CallingContext
    [35] = "ccbv",         // CallingContextProperty
    [36] = "ccbbcc",       // InterruptGenerator
    [37] = "ccbv",         // IoFileProperty
    [38] = "ccc",          // IoRegularFile
    [39] = "ccc",          // IoDirectory
    [40] = "cccbccc",      // IoHandle
    [41] = "cbc",          // IoPreCreatedHandleState
    [42] = "ccbv",         // CallpathParameter
    [43] = "cccccc",       // InterComm
};

static const char *const global_formats[] = {
    [5] = "ccc?c",       // ClockProperties
    [6] = "bcb",         // Paradigm
    [7] = "bbbv",        // ParadigmProperty
    [8] = "bccbcb(bbv)", // IoParadigm
};

static const char *const local_formats[] = {
    [5] = "bm",  // MappingTable
    [6] = "qcq", // ClockOffset
};

static const char *const marker_formats[] = {
    [5] = "cssb",   // DefMarker
    [6] = "cccbcs", // Marker
};

#define LOOK_UP(table, type) ((type) < sizeof(table) / sizeof *(table) ? (table)[type] : NULL)

static const char *format_of(enum otter_file_kind file, unsigned char type)
{
    const char *first = NULL;
    switch (file) {
    case OTTER_FILE_EVENTS: return LOOK_UP(event_formats, type);
    case OTTER_FILE_MARKERS: return LOOK_UP(marker_formats, type);
    case OTTER_FILE_GLOBAL_DEFINITIONS: first = LOOK_UP(global_formats, type); break;
    case OTTER_FILE_LOCAL_DEFINITIONS: first = LOOK_UP(local_formats, type); break;
    }
    return first ? first : LOOK_UP(definition_formats, type);
}

// The part of a record that has not been read yet.
struct fields {
    const unsigned char *at;
    size_t n;
    bool is_big;
    uint64_t last; // the last number read
};

static bool skip(struct fields *fields, size_t n)
{
    if (fields->n < n) {
        return false;
    }
    fields->at += n;
    fields->n -= n;
    return true;
}

static bool read_byte(struct fields *fields)
{
    if (fields->n == 0) {
        return false;
    }
    fields->last = *fields->at;
    return skip(fields, 1);
}

static bool read_number(struct fields *fields)
{
    if (!read_byte(fields)) {
        return false;
    }
    size_t n = (size_t)fields->last;
    fields->last = n == 0xff ? UINT64_MAX : 0;
    n = n == 0xff ? 0 : n;
    if (n > 8 || n > fields->n) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        size_t place = fields->is_big ? n - 1 - i : i;
        fields->last |= (uint64_t)fields->at[i] << (8 * place);
    }
    return skip(fields, n);
}

static bool read_text(struct fields *fields)
{
    const unsigned char *end = memchr(fields->at, '\0', fields->n);
    return end && skip(fields, (size_t)(end - fields->at) + 1);
}

// Reads a value of the type that was read last.
static bool read_value(struct fields *fields)
{
    switch (fields->last) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8: return skip(fields, 1);
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16: return skip(fields, 2);
    case OTF2_TYPE_FLOAT: return skip(fields, 4);
    case OTF2_TYPE_DOUBLE: return skip(fields, 8);
    default: return read_number(fields);
    }
}

// Reads a table of ids, whose kind is in the preceding byte.
static bool read_table(struct fields *fields)
{
    if (fields->last >= OTF2_MAPPING_MAX || !read_number(fields)) {
        return false;
    }
    uint64_t n = fields->last;
    if (!read_byte(fields) || fields->last > OTF2_ID_MAP_SPARSE) {
        return false;
    }
    n = fields->last == OTF2_ID_MAP_SPARSE && n <= UINT32_MAX ? 2 * n : n;
    if (n > fields->n) { // each takes at least a byte
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (!read_number(fields)) {
            return false;
        }
    }
    return true;
}

static bool read_field(struct fields *fields, char kind)
{
    switch (kind) {
    case 'b': return read_byte(fields);
    case 'c': return read_number(fields);
    case 'q': return skip(fields, 8);
    case 's': return read_text(fields);
    case 'v': return read_value(fields);
    case 'm': return read_table(fields);
    default: return true;
    }
}

// Reads the group of fields at `format` as often as the last number says. Returns the format after
// the group, or NULL.
static const char *read_group(struct fields *fields, const char *format)
{
    const char *end = strchr(format, ')');
    uint64_t n = fields->last;
    if (n > fields->n) { // each takes at least a byte
        return NULL;
    }
    for (; n > 0; n--) {
        for (const char *kind = format; kind < end; kind++) {
            if (!read_field(fields, *kind)) {
                return NULL;
            }
        }
    }
    return end + 1;
}

// Skips to the first field whose value matters; most events have no such field. Returns the format
// from there on, or NULL if the record is cut off.
static const char *skip_plain(const char *format, const unsigned char **payload, size_t *size)
{
    const unsigned char *at = *payload, *end = at + *size;
    const char *kind = format;
    for (; (*kind == 'b' || *kind == 'c') && (kind[1] == 'b' || kind[1] == 'c' || !kind[1]);
         kind++) {
        size_t n = *kind == 'c' && at < end && *at != 0xff ? *at : 0;
        if (n > 8 || (size_t)(end - at) < n + 1) {
            return NULL;
        }
        at += n + 1;
    }
    *size = (size_t)(end - at);
    *payload = at;
    return kind;
}

bool otter_record_is_whole(enum otter_file_kind file, unsigned char type,
                           const unsigned char *payload, size_t size, bool is_big)
{
    const char *format = format_of(file, type);
    format = format ? skip_plain(format, &payload, &size) : "";
    if (!format) {
        return false;
    }
    struct fields fields = {.at = payload, .n = size, .is_big = is_big};
    while (*format) {
        char kind = *format++;
        if (kind == '?' && fields.n == 0) {
            return true;
        }
        if (kind == '(') {
            format = read_group(&fields, format);
            if (!format) {
                return false;
            }
        } else if (!read_field(&fields, kind)) {
            return false;
        }
    }
    return true;
}
