// Translates OTF2's event records to struct otter_event: a function for each kind of record.
#include "trace/read/events.h"

#include "trace/read/state.h"

// The first parameters of each callback. `user` is the archive.
#define EVENT_PARAMETERS                                                                           \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,                 \
        OTF2_AttributeList *attributes

// Completes the event and passes it to the archive's reader.
static OTF2_CallbackCode pass(struct otter_archive *archive, OTF2_TimeStamp time,
                              enum otter_record kind, struct otter_event event)
{
    event.time = time;
    event.location = archive->location;
    event.kind = kind;
    archive->n_passed++;
    if (++archive->n_watched % OTTER_WATCH_EVERY == 0 && archive->watch) {
        archive->watch(archive->watch_user, archive->n_watched);
    }
    if (archive->function(archive->user, &event)) {
        return OTF2_CALLBACK_SUCCESS;
    }
    archive->is_stopped = true;
    return OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_other(EVENT_PARAMETERS)
{
    return pass(user, time, OTTER_RECORD_OTHER, (struct otter_event){0});
}

static OTF2_CallbackCode pass_region(struct otter_archive *archive, OTF2_TimeStamp time,
                                     enum otter_record kind, OTF2_RegionRef region)
{
    uint32_t index = otter_ids_find(archive->event_regions, region);
    if (archive->same_regions && index < archive->definitions.n_regions) {
        index = archive->same_regions[index];
    }
    return pass(archive, time, kind, (struct otter_event){.region = index});
}

static OTF2_CallbackCode on_enter(EVENT_PARAMETERS, OTF2_RegionRef region)
{
    return pass_region(user, time, OTTER_RECORD_ENTER, region);
}

static OTF2_CallbackCode on_leave(EVENT_PARAMETERS, OTF2_RegionRef region)
{
    return pass_region(user, time, OTTER_RECORD_LEAVE, region);
}

static OTF2_CallbackCode on_fork(EVENT_PARAMETERS, OTF2_Paradigm model, uint32_t threads)
{
    return pass(user, time, OTTER_RECORD_FORK, (struct otter_event){.threads = threads});
}

static OTF2_CallbackCode on_join(EVENT_PARAMETERS, OTF2_Paradigm model)
{
    return pass(user, time, OTTER_RECORD_JOIN, (struct otter_event){0});
}

static OTF2_CallbackCode pass_comm(struct otter_archive *archive, OTF2_TimeStamp time,
                                   enum otter_record kind, OTF2_CommRef comm)
{
    uint32_t index = otter_ids_find(archive->event_comms, comm);
    return pass(archive, time, kind, (struct otter_event){.comm = index});
}

static OTF2_CallbackCode on_team_begin(EVENT_PARAMETERS, OTF2_CommRef team)
{
    return pass_comm(user, time, OTTER_RECORD_TEAM_BEGIN, team);
}

static OTF2_CallbackCode on_team_end(EVENT_PARAMETERS, OTF2_CommRef team)
{
    return pass_comm(user, time, OTTER_RECORD_TEAM_END, team);
}

static OTF2_CallbackCode pass_task(struct otter_archive *archive, OTF2_TimeStamp time,
                                   enum otter_record kind, OTF2_CommRef team, uint32_t creator,
                                   uint32_t number)
{
    uint32_t comm = otter_ids_find(archive->event_comms, team);
    return pass(archive, time, kind, (struct otter_event){.task = {comm, creator, number}});
}

static OTF2_CallbackCode on_task_create(EVENT_PARAMETERS, OTF2_CommRef team, uint32_t creator,
                                        uint32_t number)
{
    return pass_task(user, time, OTTER_RECORD_TASK_CREATE, team, creator, number);
}

static OTF2_CallbackCode on_task_switch(EVENT_PARAMETERS, OTF2_CommRef team, uint32_t creator,
                                        uint32_t number)
{
    return pass_task(user, time, OTTER_RECORD_TASK_SWITCH, team, creator, number);
}

static OTF2_CallbackCode on_task_complete(EVENT_PARAMETERS, OTF2_CommRef team, uint32_t creator,
                                          uint32_t number)
{
    return pass_task(user, time, OTTER_RECORD_TASK_COMPLETE, team, creator, number);
}

static OTF2_CallbackCode on_acquire_lock(EVENT_PARAMETERS, OTF2_Paradigm model, uint32_t lock,
                                         uint32_t order)
{
    return pass(user, time, OTTER_RECORD_ACQUIRE_LOCK, (struct otter_event){.lock = {lock, order}});
}

static OTF2_CallbackCode on_release_lock(EVENT_PARAMETERS, OTF2_Paradigm model, uint32_t lock,
                                         uint32_t order)
{
    return pass(user, time, OTTER_RECORD_RELEASE_LOCK, (struct otter_event){.lock = {lock, order}});
}

static OTF2_CallbackCode pass_parameter(struct otter_archive *archive, OTF2_TimeStamp time,
                                        OTF2_ParameterRef parameter, uint64_t value)
{
    uint32_t index = otter_ids_find(archive->event_parameters, parameter);
    return pass(archive, time, OTTER_RECORD_PARAMETER,
                (struct otter_event){.parameter = {index, value}});
}

static OTF2_CallbackCode on_parameter(EVENT_PARAMETERS, OTF2_ParameterRef parameter, uint64_t value)
{
    return pass_parameter(user, time, parameter, value);
}

static OTF2_CallbackCode on_signed_parameter(EVENT_PARAMETERS, OTF2_ParameterRef parameter,
                                             int64_t value)
{
    return pass_parameter(user, time, parameter, (uint64_t)value);
}

static OTF2_CallbackCode on_text_parameter(EVENT_PARAMETERS, OTF2_ParameterRef parameter,
                                           OTF2_StringRef value)
{
    return pass_parameter(user, time, parameter, value);
}

static OTF2_CallbackCode on_metric(EVENT_PARAMETERS, OTF2_MetricRef metric, uint8_t n_values,
                                   const OTF2_Type *types, const OTF2_MetricValue *values)
{
    struct otter_archive *archive = user;
    struct otter_event event = {
        .metric = {.definition = otter_ids_find(archive->event_metrics, metric),
                   .n_values = n_values}};
    for (size_t i = 0; i < 2 && i < n_values; i++) {
        event.metric.values[i] = values[i].unsigned_int;
    }
    return pass(archive, time, OTTER_RECORD_METRIC, event);
}

static OTF2_CallbackCode on_sample(EVENT_PARAMETERS, OTF2_CallingContextRef context,
                                   uint32_t distance, OTF2_InterruptGeneratorRef generator)
{
    struct otter_archive *archive = user;
    uint32_t index = otter_ids_find(archive->event_contexts, context);
    return pass(archive, time, OTTER_RECORD_SAMPLE, (struct otter_event){.context = index});
}

static OTF2_CallbackCode pass_transfer(struct otter_archive *archive, OTF2_TimeStamp time,
                                       enum otter_record kind, OTF2_RmaWinRef window,
                                       uint32_t remote, uint64_t bytes, uint64_t operation)
{
    return pass(archive, time, kind,
                (struct otter_event){.transfer = {window, remote, bytes, operation}});
}

static OTF2_CallbackCode on_put(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t remote,
                                uint64_t bytes, uint64_t operation)
{
    return pass_transfer(user, time, OTTER_RECORD_RMA_PUT, window, remote, bytes, operation);
}

static OTF2_CallbackCode on_get(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t remote,
                                uint64_t bytes, uint64_t operation)
{
    return pass_transfer(user, time, OTTER_RECORD_RMA_GET, window, remote, bytes, operation);
}

static OTF2_CallbackCode on_transfer_complete(EVENT_PARAMETERS, OTF2_RmaWinRef window,
                                              uint64_t operation)
{
    return pass_transfer(user, time, OTTER_RECORD_RMA_COMPLETE, window, 0, 0, operation);
}

static OTF2_CallbackCode on_window(EVENT_PARAMETERS, OTF2_RmaWinRef window)
{
    return pass_transfer(user, time, OTTER_RECORD_RMA_WINDOW, window, 0, 0, 0);
}

static OTF2_CallbackCode on_measurement(EVENT_PARAMETERS, OTF2_MeasurementMode mode)
{
    bool is_on = mode == OTF2_MEASUREMENT_ON;
    return pass(user, time, OTTER_RECORD_MEASUREMENT, (struct otter_event){.is_on = is_on});
}

static OTF2_CallbackCode on_buffer_flush(EVENT_PARAMETERS, OTF2_TimeStamp stop)
{
    return pass(user, time, OTTER_RECORD_BUFFER_FLUSH, (struct otter_event){.stop = stop});
}

static OTF2_CallbackCode pass_message(struct otter_archive *archive, OTF2_TimeStamp time,
                                      enum otter_record kind, uint32_t partner, OTF2_CommRef comm,
                                      uint32_t tag, uint64_t bytes, uint64_t request)
{
    uint32_t index = otter_ids_find(archive->event_comms, comm);
    return pass(archive, time, kind,
                (struct otter_event){.message = {index, partner, tag, bytes, request}});
}

static OTF2_CallbackCode on_send(EVENT_PARAMETERS, uint32_t partner, OTF2_CommRef comm,
                                 uint32_t tag, uint64_t bytes)
{
    return pass_message(user, time, OTTER_RECORD_SEND, partner, comm, tag, bytes, 0);
}

static OTF2_CallbackCode on_isend(EVENT_PARAMETERS, uint32_t partner, OTF2_CommRef comm,
                                  uint32_t tag, uint64_t bytes, uint64_t request)
{
    return pass_message(user, time, OTTER_RECORD_ISEND, partner, comm, tag, bytes, request);
}

static OTF2_CallbackCode on_recv(EVENT_PARAMETERS, uint32_t partner, OTF2_CommRef comm,
                                 uint32_t tag, uint64_t bytes)
{
    return pass_message(user, time, OTTER_RECORD_RECV, partner, comm, tag, bytes, 0);
}

static OTF2_CallbackCode on_irecv(EVENT_PARAMETERS, uint32_t partner, OTF2_CommRef comm,
                                  uint32_t tag, uint64_t bytes, uint64_t request)
{
    return pass_message(user, time, OTTER_RECORD_IRECV, partner, comm, tag, bytes, request);
}

static OTF2_CallbackCode pass_request(struct otter_archive *archive, OTF2_TimeStamp time,
                                      enum otter_record kind, uint64_t request)
{
    return pass(archive, time, kind,
                (struct otter_event){.message = {.comm = OTTER_NONE, .request = request}});
}

static OTF2_CallbackCode on_sent(EVENT_PARAMETERS, uint64_t request)
{
    return pass_request(user, time, OTTER_RECORD_SENT, request);
}

static OTF2_CallbackCode on_recv_posted(EVENT_PARAMETERS, uint64_t request)
{
    return pass_request(user, time, OTTER_RECORD_RECV_POSTED, request);
}

static OTF2_CallbackCode on_cancelled(EVENT_PARAMETERS, uint64_t request)
{
    return pass_request(user, time, OTTER_RECORD_CANCELLED, request);
}

static OTF2_CallbackCode on_collective_begin(EVENT_PARAMETERS)
{
    return pass(user, time, OTTER_RECORD_COLLECTIVE_BEGIN,
                (struct otter_event){.collective = {.comm = OTTER_NONE}});
}

static OTF2_CallbackCode on_collective_request(EVENT_PARAMETERS, uint64_t request)
{
    return pass(user, time, OTTER_RECORD_COLLECTIVE_BEGIN,
                (struct otter_event){.collective = {.comm = OTTER_NONE, .request = request}});
}

static OTF2_CallbackCode on_collective_complete(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                                OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                                uint64_t received, uint64_t request)
{
    struct otter_archive *archive = user;
    uint32_t index = otter_ids_find(archive->event_comms, comm);
    return pass(archive, time, OTTER_RECORD_COLLECTIVE_END,
                (struct otter_event){.collective = {(enum otter_collective)operation, index, root,
                                                    sent, received, request}});
}

static OTF2_CallbackCode on_collective_end(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                           OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                           uint64_t received)
{
    return on_collective_complete(location, time, position, user, attributes, operation, comm, root,
                                  sent, received, 0);
}

static void set_message_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_sent);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_recv_posted);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks,
                                                                    on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks,
                                                                     on_collective_complete);
}

OTF2_EvtReaderCallbacks *otter_reader_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (!callbacks) {
        return NULL;
    }
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_other);
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_task_create);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_task_complete);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire_lock);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release_lock);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(callbacks, on_parameter);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(callbacks, on_signed_parameter);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, on_text_parameter);
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_sample);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_transfer_complete);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_transfer_complete);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_window);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_window);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_measurement);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_buffer_flush);
    set_message_callbacks(callbacks);
    return callbacks;
}
