// Adds up lost time by cause and place.
#include "analysis/cause/losses.h"

#include <stdlib.h>

static size_t index_of(const struct otter_losses *losses, enum otter_finding_kind kind,
                       uint32_t label)
{
    uint32_t place = label < losses->n_labels - 1 ? label : losses->n_labels - 1;
    return (size_t)kind * losses->n_labels + place;
}

enum otter_status otter_losses_init(struct otter_losses *losses, uint32_t n_labels)
{
    size_t n = (size_t)OTTER_N_FINDINGS * n_labels;
    *losses = (struct otter_losses){.ticks = calloc(n, sizeof *losses->ticks),
                                    .n = calloc(n, sizeof *losses->n),
                                    .n_labels = n_labels};
    return losses->ticks && losses->n ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_losses_finish(struct otter_losses *losses)
{
    free(losses->ticks);
    free(losses->n);
    *losses = (struct otter_losses){0};
}

void otter_losses_add(struct otter_losses *losses, enum otter_finding_kind kind, uint32_t label,
                      double ticks)
{
    if (ticks > 0) {
        size_t index = index_of(losses, kind, label);
        losses->ticks[index] += ticks;
        losses->n[index]++;
    }
}

double otter_losses_at(const struct otter_losses *losses, enum otter_finding_kind kind,
                       uint32_t label)
{
    return losses->ticks[index_of(losses, kind, label)];
}

double otter_losses_move(struct otter_losses *losses, enum otter_finding_kind from,
                         uint32_t from_label, enum otter_finding_kind to, uint32_t to_label,
                         double ticks)
{
    size_t source = index_of(losses, from, from_label), target = index_of(losses, to, to_label);
    double all = losses->ticks[source], moved = ticks < all ? ticks : all;
    if (moved <= 0 || source == target) {
        return 0;
    }
    losses->ticks[source] = all - moved;
    losses->ticks[target] += moved;
    losses->n[target] += losses->n[source];
    losses->n[source] = moved < all ? losses->n[source] : 0;
    return moved;
}

double otter_losses_of(const struct otter_losses *losses, enum otter_finding_kind kind)
{
    double sum = 0;
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        sum += losses->ticks[(size_t)kind * losses->n_labels + i];
    }
    return sum;
}
