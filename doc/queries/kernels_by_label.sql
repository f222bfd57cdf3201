-- Which Kokkos kernels, copies and activities of devices take the most time, and on which rank?
SELECT
    label,
    kind,
    count(*) AS launches,
    sum(end_ns - begin_ns) / 1e9 AS total_s,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY end_ns - begin_ns) / 1e9 AS median_s,
    max(end_ns - begin_ns) / 1e9 AS max_s,
    arg_max(rank, end_ns - begin_ns) AS rank_of_max
FROM kernels
GROUP BY label, kind
ORDER BY total_s DESC, label, kind;
