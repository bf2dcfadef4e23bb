-- Session files of Plimsoll as tables: docs/import.md#sql.
--   SET VARIABLE sessions = 'results/**/*.plimsoll.jsonl';   -- a pattern, or a list of them
--   .read sessions.sql

-- Every line but series and events, read once. A line that was cut short is left out.
CREATE OR REPLACE TEMP TABLE lines AS
SELECT filename AS file, json ->> '$.kind' AS kind, json
FROM read_ndjson_objects(getvariable('sessions'), filename = true, ignore_errors = true, maximum_object_size = 16777216)
WHERE json ->> '$.kind' IN ('machine', 'plan', 'trial', 'end');

-- A run's parameter or version by its key, such as 'http.path' or 'engine.nginx'.
CREATE OR REPLACE TEMP MACRO of_key(keys, name) AS json_extract_string(keys, '$."' || name || '"');

-- One row for each plan of each file.
CREATE OR REPLACE TEMP VIEW sessions AS
SELECT p.file, p.json ->> '$.hash' AS plan, p.json ->> '$.plan.name' AS name, p.json ->> '$.plan.session' AS session,
       CAST(p.json -> '$.plan.replicates' AS INTEGER) AS replicates, CAST(p.json -> '$.plan.margin' AS DOUBLE) AS margin,
       CAST(p.json -> '$.plan.alpha' AS DOUBLE) AS alpha, p.json -> '$.plan.labels' AS labels,
       e.json ->> '$.reason' AS ended, CAST(e.json -> '$.trials' AS INTEGER) AS runs, CAST(e.json -> '$.void' AS INTEGER) AS failed
FROM lines p
LEFT JOIN (SELECT file, json ->> '$.plan' AS plan, last(json) AS json FROM lines WHERE kind = 'end' GROUP BY ALL) e
       ON e.file = p.file AND e.plan = p.json ->> '$.hash'
WHERE p.kind = 'plan'
QUALIFY row_number() OVER (PARTITION BY p.file, p.json ->> '$.hash') = 1;

-- One row for each machine of each file. Two machines may have one name: id tells them apart.
CREATE OR REPLACE TEMP VIEW machines AS
SELECT DISTINCT ON (file, json ->> '$.name', json ->> '$.id')
       file, json ->> '$.name' AS machine, json ->> '$.id' AS machine_id, json ->> '$.arch' AS arch, json ->> '$.kernel' AS kernel, json ->> '$.os' AS os,
       json ->> '$.cpu.model' AS cpu, CAST(json -> '$.cpu.threads' AS INTEGER) AS vcpus, CAST(json -> '$.memory_bytes' AS BIGINT) AS memory_bytes,
       json ->> '$.cloud.provider' AS provider, json ->> '$.cloud.type' AS type, json
FROM lines
WHERE kind = 'machine';

-- One row for each run, failed ones too. Estimates are of those that count and did not fail.
CREATE OR REPLACE TEMP VIEW trials AS
SELECT file, json ->> '$.id' AS id, json ->> '$.plan' AS plan, of_key(json -> '$.keys', 'machine') AS machine, of_key(json -> '$.keys', 'machine_id') AS machine_id,
       of_key(json -> '$.keys', 'workload') AS workload, of_key(json -> '$.keys', 'load') AS load,
       CAST(json -> '$.group' AS INTEGER) AS comparison, CAST(json -> '$.cell' AS INTEGER) AS cell, CAST(json -> '$.replicate' AS INTEGER) AS replicate,
       TRY_CAST(nullif(json ->> '$.start', '') AS TIMESTAMPTZ) AS began, CAST(json -> '$.duration_s' AS DOUBLE) AS duration_s,
       nullif(json ->> '$.void', '') AS failed,
       NOT (coalesce(CAST(json -> '$.pilot' AS BOOLEAN), false) OR coalesce(CAST(json -> '$.extra' AS BOOLEAN), false)
            OR coalesce(CAST(json -> '$.profiled' AS BOOLEAN), false) OR coalesce(CAST(json -> '$.capped' AS DOUBLE), 0) > 0) AS counts,
       json -> '$.keys' AS keys, json
FROM lines
WHERE kind = 'trial';

-- One row for each value of each run that counts and did not fail. is_primary: the metric that decides.
CREATE OR REPLACE TEMP VIEW metrics AS
SELECT t.file, t.id, t.plan, t.machine, t.machine_id, t.workload, t.load, t.comparison, t.cell, t.replicate, t.began, t.keys,
       v.value ->> '$.name' AS metric, v.value ->> '$.unit' AS unit, v.value ->> '$.better' AS better, CAST(v.value -> '$.value' AS DOUBLE) AS value,
       coalesce(CAST(v.value -> '$.at_least' AS BOOLEAN), false) AS at_least,
       v.value ->> '$.name' = coalesce(nullif(of_key(p.json -> '$.plan.primary', t.workload), ''), t.json ->> '$.values[0].name') AS is_primary
FROM trials t
LEFT JOIN (SELECT file, json ->> '$.hash' AS plan, any_value(json) AS json FROM lines WHERE kind = 'plan' GROUP BY ALL) p USING (file, plan),
     json_each(t.json -> '$.values') v
WHERE t.counts AND t.failed IS NULL;

-- One row for each pair of runs that were sides of one comparison in one replicate: a is its first side, the control.
CREATE OR REPLACE TEMP VIEW pairs AS
SELECT b.file, b.plan, b.comparison, b.replicate, b.metric, b.unit, b.better, b.is_primary, b.workload, b.load, b.began,
       a.machine AS machine_a, b.machine AS machine_b, a.keys AS keys_a, b.keys AS keys_b, a.cell AS cell_a, b.cell AS cell_b,
       a.value AS a, b.value AS b, b.value / nullif(a.value, 0) AS ratio
FROM metrics b
JOIN (SELECT file, plan, comparison, min(cell) AS cell FROM trials GROUP BY ALL) first USING (file, plan, comparison)
JOIN metrics a ON a.file = b.file AND a.plan = b.plan AND a.comparison = b.comparison AND a.replicate = b.replicate
     AND a.metric = b.metric AND a.unit = b.unit AND a.cell = first.cell AND b.cell <> first.cell
WHERE NOT a.at_least AND NOT b.at_least;

-- One row for each price that a plan registered before its first run: USD per hour of a machine or type.
CREATE OR REPLACE TEMP VIEW prices AS
SELECT l.file, l.json ->> '$.hash' AS plan, p.key AS machine, CAST(p.value AS DOUBLE) AS usd_per_hour
FROM lines l, json_each(l.json -> '$.plan.prices') p
WHERE l.kind = 'plan';
