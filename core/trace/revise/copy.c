// Copies definitions with OTF2 callbacks: one function for each kind that Otter writes.
#include "trace/revise/copy.h"

#include "trace/read/callback.h"

static OTF2_CallbackCode done(struct otter_copier *copier)
{
    copier->n_copied++;
    return copier->archive.error ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

// Returns the number in the copy of the source's string.
static OTF2_StringRef text(struct otter_copier *copier, OTF2_StringRef id)
{
    return id == OTF2_UNDEFINED_STRING
               ? id
               : otter_archive_text(&copier->archive, otter_reader_string(copier->source, id));
}

static OTF2_AttributeValue value_of(struct otter_copier *copier, OTF2_Type type,
                                    OTF2_AttributeValue value)
{
    if (type == OTF2_TYPE_STRING) {
        value.stringRef = text(copier, value.stringRef);
    }
    return value;
}

// Strings are written only when needed, so strings of replaced names disappear.
static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *string)
{
    return done(user);
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t realtime)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteClockProperties(copier->archive.writer, resolution, offset, length,
                                              realtime);
    return done(copier);
}

static OTF2_CallbackCode on_paradigm(void *user, OTF2_Paradigm paradigm, OTF2_StringRef name,
                                     OTF2_ParadigmClass paradigm_class)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteParadigm(copier->archive.writer, paradigm, text(copier, name),
                                       paradigm_class);
    return done(copier);
}

static OTF2_CallbackCode on_paradigm_property(void *user, OTF2_Paradigm paradigm,
                                              OTF2_ParadigmProperty property, OTF2_Type type,
                                              OTF2_AttributeValue value)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteParadigmProperty(copier->archive.writer, paradigm, property, type,
                                               value_of(copier, type, value));
    return done(copier);
}

static OTF2_CallbackCode on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteSystemTreeNode(copier->archive.writer, self, text(copier, name),
                                             text(copier, class_name), parent);
    return done(copier);
}

static OTF2_CallbackCode on_node_domain(void *user, OTF2_SystemTreeNodeRef node,
                                        OTF2_SystemTreeDomain domain)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(copier->archive.writer, node, domain);
    return done(copier);
}

static OTF2_CallbackCode on_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                    OTF2_LocationGroupRef creator)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteLocationGroup(copier->archive.writer, self, text(copier, name), type,
                                            parent, creator);
    return done(copier);
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t n_events,
                                     OTF2_LocationGroupRef process)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteLocation(copier->archive.writer, self, text(copier, name), type,
                                       n_events, process);
    return done(copier);
}

static OTF2_CallbackCode on_location_property(void *user, OTF2_LocationRef location,
                                              OTF2_StringRef name, OTF2_Type type,
                                              OTF2_AttributeValue value)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteLocationProperty(copier->archive.writer, location, text(copier, name),
                                               type, value_of(copier, type, value));
    return done(copier);
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
                                   uint32_t end_line)
{
    struct otter_copier *copier = user;
    struct otter_archive_writer *archive = &copier->archive;
    static const struct otter_revised_region unchanged = {.name = NULL};
    uint32_t index = otter_ids_find(&copier->source->region_ids, self);
    const struct otter_revised_region *revised =
        index == OTTER_NONE ? &unchanged : &copier->regions[index];
    OTF2_GlobalDefWriter_WriteRegion(
        archive->writer, self,
        revised->name ? otter_archive_text(archive, revised->name) : text(copier, name),
        text(copier, canonical_name), text(copier, description), role, paradigm, flags,
        revised->file ? otter_archive_text(archive, revised->file) : text(copier, file),
        revised->name ? revised->line : begin_line, revised->name ? 0 : end_line);
    return done(copier);
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n_members, const uint64_t *members)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteGroup(copier->archive.writer, self, text(copier, name), type,
                                    paradigm, flags, n_members, members);
    return done(copier);
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteComm(copier->archive.writer, self, text(copier, name), group, parent,
                                   flags);
    return done(copier);
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteRmaWin(copier->archive.writer, self, text(copier, name), comm, flags);
    return done(copier);
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteParameter(copier->archive.writer, self, text(copier, name), type);
    return done(copier);
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType type, OTF2_MetricMode mode,
                                          OTF2_Type value_type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteMetricMember(copier->archive.writer, self, text(copier, name),
                                           text(copier, description), type, mode, value_type, base,
                                           exponent, text(copier, unit));
    return done(copier);
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t n_members,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteMetricClass(copier->archive.writer, self, n_members, members,
                                          occurrence, kind);
    return done(copier);
}

static OTF2_CallbackCode on_context(void *user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteCallingContext(copier->archive.writer, self, region, place, parent);
    return done(copier);
}

static OTF2_CallbackCode on_generator(void *user, OTF2_InterruptGeneratorRef self,
                                      OTF2_StringRef name, OTF2_InterruptGeneratorMode mode,
                                      OTF2_Base base, int64_t exponent, uint64_t period)
{
    struct otter_copier *copier = user;
    OTF2_GlobalDefWriter_WriteInterruptGenerator(copier->archive.writer, self, text(copier, name),
                                                 mode, base, exponent, period);
    return done(copier);
}

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (callbacks) {
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
        OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(callbacks, on_paradigm);
        OTF2_GlobalDefReaderCallbacks_SetParadigmPropertyCallback(callbacks, on_paradigm_property);
        OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_node);
        OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(callbacks, on_node_domain);
        OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
        OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
        OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
        OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
        OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric_member);
        OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
        OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
        OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, on_generator);
    }
    return callbacks;
}

enum otter_status otter_definitions_copy(struct otter_copier *copier)
{
    OTF2_Reader *source = copier->source->reader;
    OTF2_GlobalDefReaderCallbacks *callbacks = make_callbacks();
    OTF2_GlobalDefReader *reader = callbacks ? OTF2_Reader_GetGlobalDefReader(source) : NULL;
    if (!reader) {
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
        return callbacks ? OTTER_BAD_ARCHIVE : OTTER_NO_MEMORY;
    }
    otter_archive_text(&copier->archive, ""); // must be string 0
    OTF2_Reader_RegisterGlobalDefCallbacks(source, reader, callbacks, copier);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    uint64_t n_read = 0;
    OTF2_ErrorCode error = OTF2_Reader_ReadAllGlobalDefinitions(source, reader, &n_read);
    OTF2_Reader_CloseGlobalDefReader(source, reader);
    if (copier->archive.error || error) {
        return copier->archive.error ? copier->archive.error : OTTER_BAD_ARCHIVE;
    }
    return n_read == copier->n_copied ? OTTER_OK : OTTER_UNSUPPORTED;
}
