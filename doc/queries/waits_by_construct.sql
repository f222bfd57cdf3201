-- In which constructs do threads wait, and on which rank the most?
WITH waited AS (
    SELECT kind, rank, count(*) AS waits, sum(end_ns - begin_ns) / 1e9 AS waited_s FROM waits GROUP BY kind, rank
)
SELECT
    kind,
    sum(waits)::BIGINT AS waits,
    sum(waited_s) AS waited_s,
    max(waited_s) AS max_s,
    arg_max(rank, waited_s) AS rank_of_max
FROM waited
GROUP BY kind
ORDER BY waited_s DESC, kind;
