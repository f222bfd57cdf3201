-- Which constructs create, join or depend on which others, and how long is the way between them?
SELECT
    from_label,
    to_label,
    kind,
    count(*) AS edges,
    sum(arrives_ns - leaves_ns) / 1e9 AS latency_s,
    max(arrives_ns - leaves_ns) / 1e9 AS max_latency_s
FROM edges
WHERE kind NOT IN ('order', 'nesting')
GROUP BY from_label, to_label, kind
ORDER BY edges DESC, from_label, to_label, kind;
