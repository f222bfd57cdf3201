-- Which single waits are the longest, on which rank and thread, and when?
SELECT
    rank,
    lane,
    label,
    begin_ns / 1e9 AS begin_s,
    (end_ns - begin_ns) / 1e9 AS waited_s
FROM waits
ORDER BY waited_s DESC, rank, begin_s, lane
LIMIT 20;
