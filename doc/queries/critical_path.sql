-- Which labels are on the critical paths: the realised path of each rank, whose sum is the wall time, and the heaviest path?
SELECT
    label,
    sum(realised_path_ns) / 1e9 AS realised_s,
    sum(span_ns) / 1e9 AS span_s,
    arg_max(rank, realised_path_ns) AS rank_of_max
FROM labels
GROUP BY label
HAVING sum(realised_path_ns) > 0 OR sum(span_ns) > 0
ORDER BY realised_s DESC, label;
