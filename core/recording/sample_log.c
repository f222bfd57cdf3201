// Packs samples into records, and finds them among the records of switches.
#include "recording/sample_log.h"

enum { BITS_OF_THREAD = 32 };

size_t otter_sample_pack(const struct otter_logged_sample *sample,
                         struct otter_switch_record records[OTTER_SAMPLE_RECORDS])
{
    size_t n = 0;
    records[n++] = (struct otter_switch_record){.time = sample->time,
                                                .thread = sample->thread,
                                                .processor = (uint16_t)sample->n,
                                                .kind = OTTER_SWITCH_SAMPLE};
    if (sample->counter > 0) {
        records[0].processor = (uint16_t)(sample->counter - 1);
        records[0].kind = OTTER_SWITCH_COUNT;
    }
    for (uint32_t i = 0; i < sample->n; i += 2) {
        uint64_t second = i + 1 < sample->n ? sample->addresses[i + 1] : 0;
        records[n++] =
            (struct otter_switch_record){.time = sample->addresses[i],
                                         .thread = (uint32_t)second,
                                         .processor = (uint16_t)(second >> BITS_OF_THREAD),
                                         .kind = OTTER_SWITCH_ADDRESSES};
    }
    return n;
}

// The sample whose addresses are being read.
struct unpacking {
    struct otter_logged_sample sample;
    uint32_t n_wanted; // addresses; 0: no sample has begun
    bool (*visit)(void *user, const struct otter_logged_sample *sample);
    void *user;
};

static bool begin(struct unpacking *unpacking, const struct otter_switch_record *record)
{
    struct otter_logged_sample *sample = &unpacking->sample;
    bool is_sample =
        record->kind == OTTER_SWITCH_SAMPLE && record->processor <= OTTER_MAX_SAMPLE_DEPTH;
    bool is_count = record->kind == OTTER_SWITCH_COUNT;
    unpacking->n_wanted = is_sample ? record->processor : is_count;
    sample->time = record->time;
    sample->thread = record->thread;
    sample->counter = is_count ? record->processor + 1 : 0;
    sample->n = 0;
    sample->n_lost = record->kind == OTTER_SWITCH_SAMPLES_LOST ? record->thread : 0;
    return sample->n_lost == 0 || unpacking->visit(unpacking->user, sample);
}

static bool unpack(void *user, const struct otter_switch_record *record)
{
    struct unpacking *unpacking = user;
    struct otter_logged_sample *sample = &unpacking->sample;
    if (record->kind != OTTER_SWITCH_ADDRESSES) {
        return begin(unpacking, record);
    }
    const uint64_t pair[] = {record->time,
                             (uint64_t)record->processor << BITS_OF_THREAD | record->thread};
    for (unsigned i = 0; i < 2 && sample->n < unpacking->n_wanted; i++) {
        sample->addresses[sample->n++] = pair[i];
    }
    if (unpacking->n_wanted == 0 || sample->n < unpacking->n_wanted) {
        return true;
    }
    unpacking->n_wanted = 0;
    return unpacking->visit(unpacking->user, sample);
}

bool otter_sample_log_visit(int file, uint64_t n,
                            bool (*visit)(void *user, const struct otter_logged_sample *sample),
                            void *user)
{
    struct unpacking unpacking = {.visit = visit, .user = user};
    return otter_switch_log_visit(file, n, unpack, &unpacking);
}
