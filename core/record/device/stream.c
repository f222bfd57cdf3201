// The streams of devices: writes their records sorted by time.
#include "record/device/stream.h"

#include <inttypes.h>

#include "record/control/limits.h"
#include "record/entry/opening.h"
#include "record/process/output.h"
#include "record/thread/ids.h"
#include "record/thread/region.h"
#include "trace/schema.h"

// A stream's records do not overlap; an overlapping record is written to another stream.
struct stream {
    struct otter_location_writer *writer;
    uint64_t last_time;
    uint32_t window; // the RMA window of its device
    bool is_failed;
};

static struct stream streams[OTTER_MAX_STREAMS];
static uint32_t n_streams;

bool otter_stream_may_add(void)
{
    return n_streams < OTTER_MAX_STREAMS;
}

bool otter_stream_add(uint32_t window)
{
    if (!otter_stream_may_add() ||
        otter_output_define("stream %" PRIu32 " %" PRIu32, n_streams, window)) {
        return false;
    }
    streams[n_streams++] = (struct stream){.window = window};
    return true;
}

void otter_write_known(struct otter_location_writer *writer, uint64_t time,
                       enum otter_parameter parameter, uint64_t value)
{
    if (value) {
        otter_write_parameter(writer, time, parameter, value);
    }
}

void otter_write_device(struct otter_location_writer *writer, uint64_t time,
                        enum otter_parameter parameter, int device)
{
    if (device >= 0) {
        otter_write_parameter(writer, time, parameter, (uint64_t)device);
    }
}

void otter_write_data_op(struct otter_location_writer *writer, uint64_t time,
                         const struct otter_data_op *op)
{
    otter_write_known(writer, time, OTTER_PARAMETER_BYTES, op->bytes);
    otter_write_known(writer, time, OTTER_PARAMETER_SOURCE_ADDRESS, (uintptr_t)op->source);
    otter_write_device(writer, time, OTTER_PARAMETER_SOURCE_DEVICE, op->source_device);
    otter_write_known(writer, time, OTTER_PARAMETER_DESTINATION_ADDRESS,
                      (uintptr_t)op->destination);
    otter_write_device(writer, time, OTTER_PARAMETER_DESTINATION_DEVICE, op->destination_device);
}

static bool has_failed(uint32_t i)
{
    return streams[i].is_failed || otter_limits_stream_has_failed(i);
}

static bool open_stream(uint32_t i)
{
    if (!streams[i].writer && !has_failed(i)) {
        streams[i].is_failed = otter_writer_open_location(
            otter_output_writer(), OTTER_FIRST_STREAM + i, &streams[i].writer);
    }
    return !has_failed(i);
}

// *Returns* the first stream of the device that is free at this time, or NULL.
static struct stream *find_stream(uint32_t window, uint64_t begin)
{
    for (uint32_t i = 0; i < n_streams; i++) {
        if (streams[i].window == window && streams[i].last_time <= begin) {
            return open_stream(i) ? &streams[i] : NULL;
        }
    }
    return otter_stream_add(window) && open_stream(n_streams - 1) ? &streams[n_streams - 1] : NULL;
}

// *Returns* whether target.c made the id, which means that the requesting construct is known.
static bool is_made_here(uint64_t operation)
{
    return (operation & OTTER_ID_VALID) &&
           otter_id_location(operation) < otter_session_n_locations();
}

static uint32_t region_of(const struct otter_device_record *record)
{
    uintptr_t code = (uintptr_t)record->data.code;
    if (is_made_here(record->operation)) {
        code = otter_region_address(otter_id_region(record->operation));
    }
    return otter_region_of(record->construct, record->detail, code);
}

static bool is_transfer(const struct otter_device_record *record)
{
    return record->construct == OTTER_CONSTRUCT_TRANSFER_TO_DEVICE ||
           record->construct == OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE;
}

// Begins a transfer that no host thread records. The first thread represents the host: the device
// gets data from that thread or puts data to it.
static bool begin_transfer(struct stream *stream, const struct otter_device_record *record)
{
    if (!is_transfer(record) || record->data.bytes == 0 || otter_session_n_locations() == 0) {
        return false;
    }
    uint32_t remote = OTTER_RANK_FIRST_THREAD;
    if (record->construct == OTTER_CONSTRUCT_TRANSFER_TO_DEVICE) {
        otter_write_get(stream->writer, record->begin, stream->window, remote, record->data.bytes,
                        record->operation);
    } else {
        otter_write_put(stream->writer, record->begin, stream->window, remote, record->data.bytes,
                        record->operation);
    }
    return true;
}

static void write_details(struct otter_location_writer *writer,
                          const struct otter_device_record *record)
{
    uint64_t time = record->begin;
    otter_write_known(writer, time, OTTER_PARAMETER_OPERATION, record->operation);
    if (record->construct == OTTER_CONSTRUCT_DEVICE_KERNEL) {
        otter_write_known(writer, time, OTTER_PARAMETER_TEAMS_REQUESTED, record->teams_requested);
        otter_write_known(writer, time, OTTER_PARAMETER_TEAMS_GRANTED, record->teams_granted);
    } else {
        otter_write_data_op(writer, time, &record->data);
    }
}

bool otter_stream_write(uint32_t window, const struct otter_device_record *record,
                        bool is_reported_by_host)
{
    struct stream *stream = find_stream(window, record->begin);
    if (!stream) {
        return false;
    }
    uint32_t region = region_of(record);
    otter_write_enter(stream->writer, record->begin, region);
    bool is_begun = !is_reported_by_host && begin_transfer(stream, record);
    write_details(stream->writer, record);
    if (is_begun) {
        otter_write_transferred(stream->writer, record->end, window, record->operation);
    }
    otter_write_leave(stream->writer, record->end, region);
    stream->last_time = record->end;
    return !has_failed((uint32_t)(stream - streams));
}
