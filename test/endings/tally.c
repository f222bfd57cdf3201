// Opens a tally and adds players.
#include "tally.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct tally *tally_open(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(struct tally)) == 0) {
        memory = mmap(NULL, sizeof(struct tally), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (memory == MAP_FAILED) {
        perror(path);
        exit(99);
    }
    close(file);
    return memory;
}

void tally_note(struct tally *tally, enum phase phase)
{
    for (unsigned i = 0; i < MAX_PLAYERS; i++) {
        for (unsigned k = 0; k < N_HAPPENINGS; k++) {
            tally->players[i].counts[k].noted = tally->players[i].counts[k].done;
        }
    }
    tally->phase = phase;
}
