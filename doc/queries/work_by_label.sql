-- Which constructs do the tasks of all ranks work in: how many tasks, how much work, how long is one task?
SELECT
    label,
    count(*) AS tasks,
    sum(work_ns) / 1e9 AS work_s,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY work_ns) / 1e9 AS median_s,
    percentile_disc(0.99) WITHIN GROUP (ORDER BY work_ns) / 1e9 AS p99_s,
    max(work_ns) / 1e9 AS max_s,
    arg_max(rank, work_ns) AS rank_of_max
FROM tasks
WHERE kind = 'explicit'
GROUP BY label
ORDER BY work_s DESC, label;
