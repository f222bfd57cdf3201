-- Which labels do ranks execute for unequal times? The ranks wait for the busiest one: `loss_s` is its time above the mean.
-- A rank that does not execute a label counts as 0.
WITH executed AS (
    SELECT label, rank, sum(executed_ns) / 1e9 AS executed_s FROM labels GROUP BY label, rank
),
job AS (
    SELECT count(*) AS ranks FROM ranks
)
SELECT
    label,
    sum(executed_s) AS executed_s,
    sum(executed_s) / any_value(job.ranks) AS mean_s,
    max(executed_s) AS max_s,
    arg_max(rank, executed_s) AS rank_of_max,
    max(executed_s) - sum(executed_s) / any_value(job.ranks) AS loss_s
FROM executed, job
GROUP BY label
HAVING sum(executed_s) > 0
ORDER BY loss_s DESC, label;
