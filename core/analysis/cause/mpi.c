// Sums up the MPI calls.
#include "analysis/cause/mpi.h"

#include <stdlib.h>
#include <string.h>

#include "trace/schema.h"

enum otter_status otter_mpi_begin(struct otter_mpi *mpi,
                                  const struct otter_definitions *definitions)
{
    *mpi = (struct otter_mpi){
        .definitions = definitions, .location = OTTER_NONE, .region = OTTER_NONE};
    for (size_t i = 0; i < definitions->n_regions; i++) {
        if (otter_construct_is_mpi(definitions->regions[i].construct)) {
            mpi->uses = calloc(definitions->n_regions, sizeof *mpi->uses);
            return mpi->uses ? OTTER_OK : OTTER_NO_MEMORY;
        }
    }
    return OTTER_OK;
}

static void end_call(struct otter_mpi *mpi, uint64_t time)
{
    struct otter_mpi_use *use = &mpi->uses[mpi->region];
    uint64_t ticks = !mpi->is_paused && time > mpi->begin ? time - mpi->begin : 0;
    use->n++;
    use->ticks += ticks;
    use->longest = ticks > use->longest ? ticks : use->longest;
    mpi->region = OTTER_NONE;
}

// If a pause interrupts a call, only the call's time outside the pause counts.
static void change_pause(struct otter_mpi *mpi, const struct otter_event *event)
{
    if (mpi->region != OTTER_NONE && !event->is_on && event->time > mpi->begin) {
        mpi->uses[mpi->region].ticks += event->time - mpi->begin;
    }
    mpi->begin = event->time;
    mpi->is_paused = !event->is_on;
}

static void add_message(struct otter_mpi *mpi, const struct otter_event *event)
{
    struct otter_mpi_use *use = &mpi->uses[mpi->region];
    switch (event->kind) {
    case OTTER_RECORD_SEND:
    case OTTER_RECORD_ISEND:
        use->n_sends++;
        use->sent += event->message.bytes;
        break;
    case OTTER_RECORD_RECV:
    case OTTER_RECORD_IRECV:
        use->n_receives++;
        use->received += event->message.bytes;
        break;
    case OTTER_RECORD_COLLECTIVE_END:
        use->n_collectives++;
        use->sent += event->collective.sent;
        use->received += event->collective.received;
        break;
    default: break;
    }
}

void otter_mpi_add(struct otter_mpi *mpi, const struct otter_event *event)
{
    if (!mpi->uses) {
        return;
    }
    if (event->location != mpi->location) {
        mpi->location = event->location;
        mpi->region = OTTER_NONE;
        mpi->is_paused = false;
    }
    bool is_call =
        (event->kind == OTTER_RECORD_ENTER || event->kind == OTTER_RECORD_LEAVE) &&
        otter_construct_is_mpi(otter_definitions_construct(mpi->definitions, event->region));
    if (is_call && event->kind == OTTER_RECORD_ENTER) {
        mpi->region = event->region;
        mpi->begin = event->time;
    } else if (is_call && mpi->region == event->region) {
        end_call(mpi, event->time);
    } else if (event->kind == OTTER_RECORD_MEASUREMENT) {
        change_pause(mpi, event);
    } else if (mpi->region != OTTER_NONE) {
        add_message(mpi, event);
    }
}

void otter_mpi_finish(struct otter_mpi *mpi)
{
    free(mpi->uses);
    mpi->uses = NULL;
}

bool otter_mpi_is_of_job(const char *function)
{
    return strncmp(function, "MPI_Init", sizeof "MPI_Init" - 1) == 0 ||
           strcmp(function, "MPI_Finalize") == 0;
}

bool otter_mpi_is_missing(const struct otter_definitions *definitions)
{
    const char *connectors = otter_definitions_property(definitions, "OTTER::CONNECTORS");
    const char *rank = otter_definitions_property(definitions, "OTTER::RANK");
    return rank && *rank && connectors && !strstr(connectors, "mpi");
}
