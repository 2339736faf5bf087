import { rows, type Queryable } from '../sql/database.js';

/** The content address of the graph that an instance runs now; undefined if there is no such instance. */
export async function graphOfInstance(database: Queryable, workflowID: string): Promise<string | undefined> {
  const [found] = await rows<{ sha256: string }>(
    database,
    'SELECT d.graph_sha256 AS sha256 FROM instances i JOIN definitions d ON d.id = i.definition_id WHERE i.workflow_id = $1',
    [workflowID],
  );
  return found?.sha256;
}
