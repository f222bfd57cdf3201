-- Which constructs have tasks that are too small: below 10 us of work, in which the runtime's own work is a large share?
SELECT
    label,
    count(*) AS tasks,
    count(*) FILTER (WHERE work_ns < 10000) AS small_tasks,
    100.0 * count(*) FILTER (WHERE work_ns < 10000) / count(*) AS small_percent,
    coalesce(sum(work_ns) FILTER (WHERE work_ns < 10000), 0) / 1e9 AS small_work_s
FROM tasks
WHERE kind = 'explicit'
GROUP BY label
ORDER BY small_tasks DESC, label;
