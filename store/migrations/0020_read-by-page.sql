-- Up Migration

-- Number of history entries before each park, as with facts: a page finds its parks by binary search.
ALTER TABLE instances ADD COLUMN entry_count integer NOT NULL DEFAULT 0;
ALTER TABLE parks ADD COLUMN entries_before integer NOT NULL DEFAULT 0;

-- Parks that concern element instances activated in earlier parks.
-- subject: an element instance, or a constant of store/far-steps.ts.
CREATE TABLE far_parks (
  workflow_id text COLLATE "C" NOT NULL,
  subject integer NOT NULL,
  park integer NOT NULL,
  -- Facts about the subject in this park.
  times integer NOT NULL,
  PRIMARY KEY (workflow_id, subject, park)
);

-- Existing rows. The replaced text occurs in no member that is read here.
CREATE FUNCTION pg_temp.readable(facts json) RETURNS json LANGUAGE sql IMMUTABLE AS
  $$ SELECT regexp_replace(facts::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json $$;

WITH counted AS (
  SELECT p.workflow_id, p.number,
    count(*) FILTER (WHERE f ->> 'kind' = 'ELEMENT_ACTIVATED' AND (f ->> 'element')::integer <> 1) AS entries
  FROM parks p LEFT JOIN LATERAL json_array_elements(pg_temp.readable(p.facts)) f ON true GROUP BY 1, 2
), summed AS (
  SELECT workflow_id, number, sum(entries) OVER (PARTITION BY workflow_id ORDER BY number) - entries AS before FROM counted
)
UPDATE parks p SET entries_before = s.before FROM summed s WHERE p.workflow_id = s.workflow_id AND p.number = s.number AND s.before > 0;

UPDATE instances i SET entry_count = c.entries FROM (
  SELECT p.workflow_id, count(*) AS entries FROM parks p, json_array_elements(pg_temp.readable(p.facts)) f
  WHERE f ->> 'kind' = 'ELEMENT_ACTIVATED' AND (f ->> 'element')::integer <> 1 GROUP BY 1
) c WHERE i.workflow_id = c.workflow_id;

INSERT INTO far_parks (workflow_id, subject, park, times)
SELECT p.workflow_id, s.subject, p.number, count(*)
FROM parks p, json_array_elements(pg_temp.readable(p.facts)) f, LATERAL (
  SELECT CASE f ->> 'kind'
    WHEN 'INSTANCE_MIGRATED' THEN 0
    WHEN 'ESCALATION_THROWN' THEN CASE WHEN f ->> 'caught' = 'NOWHERE' THEN -1 END
    WHEN 'VARIABLES_SET' THEN CASE f ->> 'role' WHEN 'INPUT' THEN (f ->> 'scope')::integer WHEN 'OUTPUT' THEN (f ->> 'by')::integer END
    ELSE (f ->> 'element')::integer END AS subject
) s
WHERE f ->> 'kind' IN ('INSTANCE_MIGRATED', 'ESCALATION_THROWN', 'VARIABLES_SET', 'ELEMENT_ACTIVATED', 'ELEMENT_COMPLETED', 'ELEMENT_CANCELED', 'ELEMENT_FAILED',
    'JOB_CREATED', 'USER_TASK_CREATED', 'CHILD_CALLED')
  AND (s.subject IN (0, -1) OR (s.subject > 1 AND p.number > 256))
GROUP BY 1, 2, 3
-- An element activated in the same park is found with its activation.
HAVING NOT bool_or(f ->> 'kind' = 'ELEMENT_ACTIVATED');
