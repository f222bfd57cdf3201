-- Which fragments did the longest task of all ranks wait for? Follows its edges backwards, as an example of a join.
WITH longest AS (
    SELECT rank, index FROM tasks WHERE kind = 'explicit' ORDER BY work_ns DESC, rank, index LIMIT 1
)
SELECT
    source.rank,
    edge.kind,
    source.label,
    source.lane,
    source.begin_ns / 1e9 AS begin_s,
    source.end_ns / 1e9 AS end_s
FROM longest
JOIN fragments AS target ON target.rank = longest.rank AND target.task_index = longest.index
JOIN edges AS edge ON edge.rank = target.rank AND edge.to_index = target.index
JOIN fragments AS source ON source.rank = edge.rank AND source.index = edge.from_index
ORDER BY source.begin_ns, source.index;
