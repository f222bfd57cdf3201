-- How long do tasks wait in the queue: from the time when a task could begin until it does?
SELECT
    label,
    count(*) AS tasks,
    sum(begin_ns - ready_ns) / 1e9 AS queued_s,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY begin_ns - ready_ns) / 1e9 AS median_s,
    percentile_disc(0.99) WITHIN GROUP (ORDER BY begin_ns - ready_ns) / 1e9 AS p99_s,
    max(begin_ns - ready_ns) / 1e9 AS max_s,
    arg_max(rank, begin_ns - ready_ns) AS rank_of_max
FROM tasks
WHERE kind = 'explicit'
GROUP BY label
ORDER BY queued_s DESC, label;
