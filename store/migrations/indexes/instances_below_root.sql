-- Called instances by their root: those that run first, then the one that has ended last.
CREATE INDEX CONCURRENTLY instances_below_root ON instances (root_workflow_id, completed_at DESC NULLS FIRST)
  WHERE parent_workflow_id IS NOT NULL;
