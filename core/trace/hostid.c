// The host's id, for OTF2, which asks for it whenever it opens an archive. The C library's own answer may look the host name up in the
// network, and keep a traced program waiting for seconds where nobody answers. OTF2 wants something that tells hosts apart,
// and asks again when it is 0. Takes the place of the C library's function inside our own libraries only.
#include <unistd.h>

long gethostid(void)
{
    char name[256] = "";
    gethostname(name, sizeof(name) - 1);
    unsigned hash = 2166136261U; // FNV-1a
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    }
    return hash ? (long)hash : 1;
}
