import type { BatchOperation } from '../../../../store/batches/batches.js';
import type { Caller } from '../../../access/caller.js';
import { includesRole } from '../../../contract/roles.js';

/** A batch needs the role of its operation. */
const forAdmins: ReadonlySet<BatchOperation> = new Set(['SUSPEND', 'RESUME', 'MODIFY', 'DELETE']);

export function mayBatch(caller: Caller, projectID: string, operation: BatchOperation): boolean {
  const role = caller.projectRole(projectID);
  return role !== undefined && includesRole(role, forAdmins.has(operation) ? 'admin' : 'editor');
}
