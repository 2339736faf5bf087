-- The trigger sets the group. Rows that a step commit holds get theirs when the next host starts.
UPDATE incidents n SET node_id = n.node_id FROM (
  SELECT workflow_id, number FROM incidents WHERE group_id IS NULL LIMIT 1000 FOR UPDATE SKIP LOCKED
) AS batch WHERE n.workflow_id = batch.workflow_id AND n.number = batch.number
