// Recognises outputs that would be in an archive.
#include "base/output/protected.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

struct folder {
    dev_t device;
    ino_t number;
};

static struct {
    struct folder *items;
    size_t n, room;
} folders;

static bool is_same(struct folder left, struct folder right)
{
    return left.device == right.device && left.number == right.number;
}

static bool is_protected(struct folder folder)
{
    for (size_t i = 0; i < folders.n; i++) {
        if (is_same(folders.items[i], folder)) {
            return true;
        }
    }
    return false;
}

static bool add(const struct stat *about)
{
    struct folder folder = {about->st_dev, about->st_ino};
    if (is_protected(folder)) {
        return true;
    }
    if (folders.n == folders.room) {
        size_t room = 2 * folders.room + 8;
        struct folder *longer = realloc(folders.items, room * sizeof *longer);
        if (!longer) {
            return false;
        }
        folders.items = longer;
        folders.room = room;
    }
    folders.items[folders.n++] = folder;
    return true;
}

bool otter_protected_add(const char *folder)
{
    struct stat about;
    if (stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) {
        return add(&about);
    }
    char *around = otter_path_folder(folder);
    bool is_good = around && (stat(around, &about) != 0 || add(&about));
    free(around);
    return is_good;
}

// Opens `path` if it is a folder, otherwise its parent.
static int open_folder(const char *path)
{
    int folder = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        return folder;
    }
    char *around = otter_path_folder(path);
    folder = around ? open(around, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    free(around);
    return folder;
}

bool otter_protected_has(const char *path)
{
    struct stat about;
    struct folder last = {0};
    bool is_inside = false;
    int folder = folders.n > 0 ? open_folder(path) : -1;
    while (folder >= 0 && !is_inside && fstat(folder, &about) == 0) {
        struct folder here = {about.st_dev, about.st_ino};
        is_inside = is_protected(here);
        if (is_same(here, last)) {
            break; // the root is its own parent
        }
        last = here;
        int around = openat(folder, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        close(folder);
        folder = around;
    }
    if (folder >= 0) {
        close(folder);
    }
    return is_inside;
}
