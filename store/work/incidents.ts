/** Resolving an incident. Lists are in `incidents/`. */
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { raw, sql } from '../sql/builder.js';
import { unindexed } from '../sql/by-key.js';
import {
  commandSql,
  commandStatement,
  insertedColumns,
  submitted,
  type InsertedRow,
  type Request,
  type Submitted,
} from '../instances/submit-command.js';
import { firstRow, type Queryable } from '../sql/database.js';
import { refusalByInstance, refused, type Refusal } from '../sql/refusal.js';

/** Requests that the instance continues at its incident, which it locks after the instance; one of several requests wins. */
export async function resolveIncident(
  database: Queryable,
  request: Request & { number: number; variables?: Variables | undefined },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  const { number, variables } = request;
  const body: CommandBody = { kind: 'RESOLVE_INCIDENT', incident: number, ...(variables && { variables }) };
  const { workflowID, takesCommands, insertClaimed } = commandSql(request, body);
  const statement = sql`
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, command_count FROM instances
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    UPDATE incidents n SET ending_command = instance.command_count + 1
    FROM instance WHERE n.workflow_id = ${workflowID} AND n.number = ${number} AND ${raw(unindexed('n.status'))} = 'OPEN' AND n.ending_command IS NULL
    RETURNING n.workflow_id
  ), ${insertClaimed}
  SELECT ${insertedColumns} FROM inserted`;
  const [row] = (await database.query<InsertedRow>(commandStatement(statement, 'resolve incident', request))).rows;
  return row ? submitted(request, body, row) : explain(database, request);
}

async function explain(
  database: Queryable,
  { projectID, workflowID, number }: { projectID: string; workflowID: string; number: number },
): Promise<Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  const incident = await firstRow<{ status: string; ending: boolean; instanceStatus: string; canceling: boolean }>(
    database,
    `SELECT n.status, n.ending_command IS NOT NULL AS ending, i.status AS "instanceStatus", i.canceling
     FROM incidents n JOIN instances i USING (workflow_id) WHERE n.project_id = $1 AND n.workflow_id = $2 AND n.number = $3`,
    [projectID, workflowID, number],
  );
  if (!incident)
    return refused('NOT_FOUND', `There is no incident ${number} of instance ${workflowID} in this project`);
  const open = incident.status === 'OPEN' && !incident.ending;
  const byInstance =
    open && refusalByInstance(workflowID, { status: incident.instanceStatus, canceling: incident.canceling });
  return byInstance || refused('CONFLICT', `Incident ${number} of instance ${workflowID} is no longer open`);
}
