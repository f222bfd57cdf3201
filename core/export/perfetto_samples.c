// Writes the samples of a Perfetto trace, as samples of Linux' perf with interned call chains.
#include <stdlib.h>
#include <string.h>

#include "export/encode/packets.h"
#include "export/formats.h"
#include "graph/group/numbering.h"
#include "view/table/calls.h"

enum {
    INTERNED_FUNCTIONS = 5,
    INTERNED_FRAMES = 6,
    INTERNED_CHAINS = 7,
    INTERNED_MAPPING_PATHS = 17,
    INTERNED_SOURCE_PATHS = 18,
    INTERNED_MAPPINGS = 19,
    MAPPING_ID = 1,
    MAPPING_PATH = 7,
    FRAME_ID = 1,
    FRAME_FUNCTION = 2,
    FRAME_MAPPING = 3,
    FRAME_ADDRESS = 4,
    FRAME_SOURCE = 5,
    FRAME_LINE = 6,
    CHAIN_ID = 1,
    CHAIN_FRAMES = 2,
    SAMPLE_PROCESS = 2,
    SAMPLE_THREAD = 3,
    SAMPLE_CHAIN = 4,
    SAMPLE_MODE = 5,
    MODE_USER = 2,

    THE_MAPPING = 1,

    FULL = 1 << 16, // limit, in bytes, of a packet of texts, frames or chains
};

struct samples {
    const struct otter_conversion *conversion;
    struct otter_packets *packets;
    struct otter_view_samples all;
    struct otter_calls calls;
    struct otter_numbering frames; // function, line
    uint32_t *of_calls;            // of each node of the calls: its frame
    bool *has_chain;               // of each node of the calls
};

// Texts, frames and chains are in several packets, so that none needs much memory.
static void end_packet_if(struct otter_packets *packets, bool is_full)
{
    if (is_full) {
        otter_packets_end(packets, OTTER_PACKET_INTERNED, OTTER_PACKET_NEEDS_INTERNED);
    }
}

// Texts have numbers from 1.
static void put_texts(const struct samples *samples)
{
    const struct otter_frames *frames = &samples->all.frames;
    for (uint32_t i = 0; i < frames->texts.n; i++) {
        otter_packets_intern(samples->packets, INTERNED_FUNCTIONS, i + 1,
                             otter_calls_name(&samples->all, i));
        end_packet_if(samples->packets, samples->packets->body.n >= FULL);
    }
}

// Older viewers require a mapping of each frame.
static void put_mapping(const struct samples *samples)
{
    struct otter_packets *packets = samples->packets;
    const char *program =
        otter_archive_property(samples->conversion->view->archive, "OTTER::PROGRAM");
    otter_packets_intern(packets, INTERNED_MAPPING_PATHS, THE_MAPPING, program ? program : "");
    otter_proto_number(&packets->part, MAPPING_ID, THE_MAPPING);
    otter_proto_number(&packets->part, MAPPING_PATH, THE_MAPPING);
    otter_packets_end_part(packets, INTERNED_MAPPINGS);
}

// For a place such as "fib.c:12", stores the file name as text number `where`. Returns the line, or
// 0 if the place has none.
static uint64_t put_source(const struct samples *samples, uint32_t where)
{
    const char *text = otter_frames_text(&samples->all.frames, where);
    const char *colon = strrchr(text, ':');
    if (!colon) {
        return 0;
    }
    char *file = strndup(text, (size_t)(colon - text));
    otter_packets_intern(samples->packets, INTERNED_SOURCE_PATHS, (uint64_t)where + 1, file);
    free(file);
    return strtoul(colon + 1, NULL, 10);
}

// The number of the frame stands in for its address.
static void put_frame(const struct samples *samples, uint32_t frame)
{
    struct otter_packets *packets = samples->packets;
    uint32_t function = samples->frames.items[frame].a, where = samples->frames.items[frame].b;
    uint64_t line = put_source(samples, where);
    otter_proto_number(&packets->part, FRAME_ID, (uint64_t)frame + 1);
    otter_proto_number(&packets->part, FRAME_FUNCTION, (uint64_t)function + 1);
    otter_proto_number(&packets->part, FRAME_MAPPING, THE_MAPPING);
    otter_proto_number(&packets->part, FRAME_ADDRESS, (uint64_t)frame + 1);
    if (line > 0) {
        otter_proto_number(&packets->part, FRAME_SOURCE, (uint64_t)where + 1);
        otter_proto_number(&packets->part, FRAME_LINE, line);
    }
    otter_packets_end_part(packets, INTERNED_FRAMES);
    end_packet_if(packets, packets->body.n >= FULL);
}

static void put_frames(struct samples *samples)
{
    const struct otter_calls *calls = &samples->calls;
    samples->of_calls = calloc(calls->n + (size_t)1, sizeof *samples->of_calls);
    for (uint32_t i = 1; i < calls->n; i++) {
        uint32_t n = samples->frames.n;
        struct otter_triple frame = {.a = calls->items[i].function, .b = calls->items[i].where};
        otter_numbering_find(&samples->frames, frame, &samples->of_calls[i]);
        if (samples->frames.n > n) {
            put_frame(samples, n);
        }
    }
}

static void put_chain(const struct samples *samples, uint32_t node)
{
    struct otter_packets *packets = samples->packets;
    const struct otter_calls *calls = &samples->calls;
    const uint32_t *path = otter_calls_path(calls, node);
    otter_proto_number(&packets->part, CHAIN_ID, node);
    for (uint32_t i = 0; i < calls->items[node].depth; i++) {
        otter_proto_number(&packets->part, CHAIN_FRAMES, (uint64_t)samples->of_calls[path[i]] + 1);
    }
    otter_packets_end_part(packets, INTERNED_CHAINS);
    end_packet_if(packets, packets->body.n >= FULL);
}

// A node of the calls that has samples has a chain of the same number.
static void put_chains(struct samples *samples)
{
    samples->has_chain = calloc(samples->calls.n, sizeof *samples->has_chain);
    for (uint32_t i = 0; i < samples->all.all.n; i++) {
        uint32_t node = otter_calls_node(&samples->calls, &samples->all.all.items[i]);
        if (!samples->has_chain[node]) {
            samples->has_chain[node] = true;
            put_chain(samples, node);
        }
    }
}

static void put_sample(const struct samples *samples, const struct otter_sample *sample)
{
    struct otter_packets *packets = samples->packets;
    const struct otter_view *view = samples->conversion->view;
    uint32_t lane = otter_sample_lane(view, sample);
    if (lane == OTTER_NONE) {
        return;
    }
    otter_proto_number(&packets->body, SAMPLE_PROCESS,
                       otter_conversion_process(samples->conversion));
    otter_proto_number(&packets->body, SAMPLE_THREAD, (uint64_t)lane + 1);
    otter_proto_number(&packets->body, SAMPLE_CHAIN, otter_calls_node(&samples->calls, sample));
    otter_proto_number(&packets->body, SAMPLE_MODE, MODE_USER);
    otter_proto_number(&packets->packet, OTTER_PACKET_TIMESTAMP,
                       otter_view_ns(view, otter_view_ticks(view, sample->time)));
    otter_packets_end(packets, OTTER_PACKET_SAMPLE, OTTER_PACKET_NEEDS_INTERNED);
}

static void put_all(struct samples *samples)
{
    put_texts(samples);
    put_mapping(samples);
    put_frames(samples);
    put_chains(samples);
    end_packet_if(samples->packets, samples->packets->body.n > 0);
    for (uint32_t i = 0; i < samples->all.all.n; i++) {
        put_sample(samples, &samples->all.all.items[i]);
    }
}

void otter_perfetto_put_samples(const struct otter_conversion *conversion,
                                struct otter_packets *packets)
{
    struct samples samples = {.conversion = conversion, .packets = packets};
    otter_view_samples_init(&samples.all, conversion->view);
    otter_calls_init(&samples.calls, &samples.all, true, UINT32_MAX);
    if (samples.all.all.n > 0) {
        put_all(&samples);
    }
    otter_numbering_finish(&samples.frames);
    free(samples.of_calls);
    free(samples.has_chain);
    otter_calls_finish(&samples.calls);
    otter_view_samples_finish(&samples.all);
}
