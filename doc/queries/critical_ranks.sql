-- Which ranks limit the job? Those with the longest wall time first; `work_above_mean_s` is work that other ranks could execute.
-- A rank whose span is near its wall time has too little parallelism; otherwise its threads wait.
SELECT
    rank,
    host,
    threads,
    wall_ns / 1e9 AS wall_s,
    work_ns / 1e9 AS work_s,
    span_ns / 1e9 AS span_s,
    work_ns / nullif(span_ns, 0) AS parallelism,
    executing_ns / nullif(threads * wall_ns, 0) AS executing_share,
    (work_ns - avg(work_ns) OVER ()) / 1e9 AS work_above_mean_s,
    lost_events
FROM ranks
ORDER BY wall_s DESC, rank;
