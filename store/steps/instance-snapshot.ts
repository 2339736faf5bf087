/** Reads an instance from its rows, so that its workflow can be started from there. */
import type { State } from '@perdure/engine/state/state.js';
import { firstRow, type Database } from '../sql/database.js';
import { stateAt } from './replay.js';
import type { InstanceToStart } from '../instances/start.js';

export interface InstanceSnapshot {
  instance: Omit<InstanceToStart, 'start'>;
  state: State;
  /** Number of its last step commit. */
  stepNumber: number;
}

/**
 * Undefined if it has no step commit or does not exist. Its row is locked while it is read, so that no step commit can
 * intervene.
 */
export async function readInstanceSnapshot(
  database: Database,
  workflowID: string,
): Promise<InstanceSnapshot | undefined> {
  return database.transaction(async (transaction) => {
    const row = await firstRow<
      Omit<InstanceToStart, 'start' | 'processName' | 'businessID' | 'parentWorkflowID'> &
        Nullable & { stepNumber: number }
    >(
      transaction,
      `SELECT i.workflow_id AS "workflowID", i.project_id AS "projectID", i.definition_id AS "definitionID", d.process_id AS "processID",
         d.process_name AS "processName", d.version, i.business_id AS "businessID", i.parent_workflow_id AS "parentWorkflowID",
         d.graph_sha256 AS "graphSha256", i.step_count AS "stepNumber"
       FROM instances i JOIN definitions d ON d.id = i.definition_id
       WHERE i.workflow_id = $1 AND i.step_count > 0 FOR UPDATE OF i`,
      [workflowID],
    );
    if (!row) return undefined;
    const { stepNumber, processName, businessID, parentWorkflowID, ...rest } = row;
    const instance = {
      ...rest,
      ...(processName !== null && { processName }),
      ...(businessID !== null && { businessID }),
      ...(parentWorkflowID !== null && { parentWorkflowID }),
    };
    return { instance, state: (await stateAt(transaction, workflowID)).state, stepNumber };
  });
}

interface Nullable {
  processName: string | null;
  businessID: string | null;
  parentWorkflowID: string | null;
}
