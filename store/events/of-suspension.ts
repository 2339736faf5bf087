/** Events of suspensions: one for the definition or the instance that was suspended, none for what is below it. */
import { dataOfDefinition, dataOfInstance, insertEvents } from './record.js';
import type { Transaction } from '../sql/database.js';

const who = `jsonb_build_object('actor', $3::text, 'reason', $4::text)`;

const ofInstance = insertEvents({
  from: '(SELECT * FROM instances WHERE workflow_id = $1) i JOIN definitions d ON d.id = i.definition_id',
  projectID: 'i.project_id',
  type: { sql: '$2' },
  subject: 'i.workflow_id',
  workflowID: 'i.workflow_id',
  processID: 'd.process_id',
  data: `${dataOfInstance({
    workflowID: 'i.workflow_id',
    rootWorkflowID: 'i.root_workflow_id',
    businessID: 'i.business_id',
    definition: 'd',
  })} || jsonb_build_object('status', i.status) || ${who}`,
});

const ofDefinition = insertEvents({
  from: '(SELECT * FROM definitions WHERE id = $1::uuid) d',
  projectID: 'd.project_id',
  type: { sql: '$2' },
  subject: 'd.id::text',
  processID: 'd.process_id',
  data: `${dataOfDefinition('d')} || jsonb_build_object('version', d.version) || ${who}`,
});

type Scope = { workflowID: string } | { definitionID: string };

export async function recordSuspension(
  transaction: Transaction,
  change: Scope & { suspended: boolean; actor: string; reason?: string | undefined },
): Promise<void> {
  const { suspended, actor, reason } = change;
  const kind = suspended ? 'suspended' : 'resumed';
  const [statement, id] =
    'workflowID' in change ? [ofInstance, change.workflowID] : [ofDefinition, change.definitionID];
  const type = `${'workflowID' in change ? 'instance' : 'definition'}.${kind}`;
  await transaction.query(statement, [id, type, actor, reason ?? null]);
}
