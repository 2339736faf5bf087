-- Up Migration

-- Set when the task is created, and by people.
ALTER TABLE user_tasks
  ADD COLUMN due_date timestamptz,
  ADD COLUMN follow_up_date timestamptz,
  ADD COLUMN priority integer NOT NULL DEFAULT 50,
  ADD COLUMN assigned_at timestamptz,
  -- Null if the model assigned the task.
  ADD COLUMN assigned_by text,
  ADD COLUMN comment_count integer NOT NULL DEFAULT 0;

-- Who changed a task and why, for the timeline: claims, releases, and updates.
CREATE TABLE user_task_changes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workflow_id text COLLATE "C" NOT NULL,
  user_task integer NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  reason text
);
CREATE INDEX user_task_changes_of_instance ON user_task_changes (workflow_id, changed_at);

-- Comments belong to the activation of a task: its later registrations list them too.
CREATE TABLE user_task_comments (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  user_task integer NOT NULL,
  ordinal integer NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  text text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workflow_id, element, user_task, ordinal)
);

-- The names of user tasks, because lists filter by them. Graphs are stored by builds of the last release too, so a
-- trigger copies the names. Escapes that Postgres refuses to read (NUL, lone surrogates) become U+FFFD.
CREATE TABLE user_task_names (
  graph_sha256 text COLLATE "C" NOT NULL REFERENCES graphs (sha256),
  node_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (graph_sha256, node_id)
);

CREATE FUNCTION copy_user_task_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_task_names (graph_sha256, node_id, name)
  SELECT NEW.sha256, node ->> 'id', node ->> 'name' FROM json_array_elements(
    regexp_replace(NEW.graph, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'nodes') node
  WHERE node ->> 'kind' = 'userTask' AND node ->> 'name' IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_user_task_names AFTER INSERT ON graphs FOR EACH ROW EXECUTE FUNCTION copy_user_task_names();

INSERT INTO user_task_names (graph_sha256, node_id, name)
SELECT sha256, node ->> 'id', node ->> 'name' FROM graphs, json_array_elements(
  regexp_replace(graph, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'nodes') node
WHERE node ->> 'kind' = 'userTask' AND node ->> 'name' IS NOT NULL;
