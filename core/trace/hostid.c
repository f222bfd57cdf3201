// Replaces gethostid() within our own libraries: OTF2 calls it whenever it opens an archive.
//
// The C library's function may look up the host name in the network. If no server answers, the
// traced program would wait for seconds. OTF2 needs a number that differs between hosts, and asks
// again when the number is 0.
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
