// Built once at configuration, to find out whether a shared library can contain this OTF2's writer
// and reader.
#include <otf2/otf2.h>

OTF2_Archive *link_check_writer(void);
OTF2_Reader *link_check_reader(void);

OTF2_Archive *link_check_writer(void)
{
    return OTF2_Archive_Open("x", "x", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                             OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
                             OTF2_COMPRESSION_NONE);
}

OTF2_Reader *link_check_reader(void)
{
    return OTF2_Reader_Open("x");
}
