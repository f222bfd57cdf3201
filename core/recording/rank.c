// The rank of this process in a job with several ranks, from the variables that launchers set.
//
// MPI's launchers come before Slurm, since they may run inside a Slurm step and pass its variables
// on. The shell of a batch job has a Slurm rank, but no step. A job with a single rank is not
// treated as a job.
#include "recording/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct launcher {
    const char *rank, *size; // size: NULL if the launcher sets none
    const char *job, *part;  // NULL: none. `part` distinguishes jobs with the same `job`
    bool needs_part;         // without `part`, the rank does not belong to a job
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", NULL, false},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid", NULL, false},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "PMI_JOBID", NULL, false},
    {"PALS_RANKID", "PALS_SIZE", "PALS_APID", NULL, false},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_ID", "LSB_JOBID", false},
    {"ALPS_APP_PE", NULL, "ALPS_APP_ID", NULL, false},
    {"PMI_RANK", "PMI_SIZE", "PMI_JOBID", NULL, false},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID", "SLURM_STEP_ID", true},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID", true},
    {"PMIX_RANK", NULL, "PMIX_NAMESPACE", NULL, false},
};

enum { N_LAUNCHERS = sizeof launchers / sizeof *launchers };

static struct otter_job_rank noted;

static const char *variable(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    return value ? value : "";
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < sizeof noted.rank;
}

// Adds `text` to the job's name. Characters other than letters, digits and - become _.
static void add_name(const char *text)
{
    size_t n = strlen(noted.job);
    for (; *text && n + 1 < sizeof noted.job; text++) {
        bool is_plain = (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'z') ||
                        (*text >= 'A' && *text <= 'Z') || *text == '-';
        noted.job[n++] = *text;
        noted.job[n - 1] = is_plain ? *text : '_';
    }
    noted.job[n] = '\0';
}

// Hydra names no job. Its proxy, the process at the other end of the socket PMI_FD, is common to
// the ranks of a host.
static void name_by_process(void)
{
    char text[32];
    const char *socket_text = variable("PMI_FD");
    struct ucred peer = {.pid = 0};
    socklen_t size = sizeof peer;
    bool has_peer = is_number(socket_text) &&
                    getsockopt(atoi(socket_text), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    snprintf(text, sizeof text, "p%ld",
             has_peer && peer.pid > 0 ? (long)peer.pid : (long)getppid());
    add_name(text);
}

static void name_job(const struct launcher *launcher)
{
    const char *given = variable("OTTER_JOB");
    const char *job = variable(launcher->job);
    noted.has_launcher = *given;
    noted.has_id = *given || *job;
    if (*given) {
        add_name(given);
    } else if (*job) {
        add_name(job);
        add_name(launcher->part && *variable(launcher->part) ? "-" : "");
        add_name(variable(launcher->part));
    } else {
        name_by_process();
    }
}

// Returns the first row with a rank, or a later row of the same launcher if only that row's
// variables are all set.
static const struct launcher *find_launcher(void)
{
    const struct launcher *found = NULL;
    for (int i = 0; i < N_LAUNCHERS; i++) {
        const struct launcher *launcher = &launchers[i];
        bool has_rank = is_number(variable(launcher->rank));
        bool is_same = found && strcmp(found->rank, launcher->rank) == 0;
        bool is_better = is_same && is_number(variable(launcher->size)) &&
                         *variable(launcher->job) &&
                         !(is_number(variable(found->size)) && *variable(found->job));
        if (has_rank && (!found || is_better)) {
            found = launcher;
        }
    }
    return found;
}

void otter_rank_note(void)
{
    const struct launcher *launcher = *noted.rank ? NULL : find_launcher();
    if (!launcher) {
        return;
    }
    strcpy(noted.rank, variable(launcher->rank));
    if (is_number(variable(launcher->size))) {
        noted.size = (uint32_t)strtoul(variable(launcher->size), NULL, 10);
    }
    bool has_part = !launcher->needs_part || *variable(launcher->part);
    noted.is_of_job = has_part && noted.size != 1;
    if (noted.is_of_job) {
        name_job(launcher);
    }
}

const struct otter_job_rank *otter_rank(void)
{
    return &noted;
}

bool otter_rank_speaks(void)
{
    return !noted.is_of_job || (!noted.has_launcher && strtoul(noted.rank, NULL, 10) == 0);
}
