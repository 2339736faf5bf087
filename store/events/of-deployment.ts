import { dataOfDefinition, insertEvents } from './record.js';
import type { Transaction } from '../sql/database.js';

const deployed = insertEvents({
  from: `(SELECT * FROM definitions WHERE id = $1) d JOIN resources r ON r.id = d.resource_id
    LEFT JOIN deployments b ON b.id = d.deployment_id`,
  projectID: 'd.project_id',
  type: 'definition.deployed',
  subject: 'd.id::text',
  processID: 'd.process_id',
  data: `${dataOfDefinition('d')} || jsonb_build_object('version', d.version, 'actor', r.deployed_by, 'reason', b.reason)`,
});

/** The row of the resource says who deployed it. */
export async function recordDeployment(transaction: Transaction, definitionID: string): Promise<void> {
  await transaction.query(deployed, [definitionID]);
}
