/**
 * A process that gives free places to queued instances, and ends instances that have begun. It ends with its parent.
 *
 * Arguments: the folder of the compiled product, the address of the database, and the project.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [dist, connectionString, projectID] = process.argv.slice(2);
const compiled = (path) => import(join(dist, path));
const pg = createRequire(join(dist, 'package.json'))('pg');
const { PooledDatabase } = await compiled('store/connections/pooled-database.js');
const { StoreClient } = await compiled('store/sql/store-client.js');
const { beginQueued, dueGroups } = await compiled('store/processes/queue.js');
const { writeStepCommit } = await compiled('store/steps/step-commit.js');

process.on('disconnect', () => process.exit());

const PAUSE_MS = 20;
const database = new PooledDatabase(new pg.Pool({ connectionString, max: 4, Client: StoreClient }));

const toTheEnd = [
  { kind: 'INSTANCE_STARTED' },
  { kind: 'ELEMENT_ACTIVATED', element: 1, node: 'process', scope: 0 },
  { kind: 'ELEMENT_COMPLETED', element: 1 },
  { kind: 'INSTANCE_COMPLETED' },
];

await database.query('SELECT 1');
process.send('at work');
for (;;) {
  for (const due of await dueGroups(database, 100)) await beginQueued(database, due);
  const { rows } = await database.query(
    `SELECT workflow_id FROM instances WHERE project_id = $1 AND status = 'RUNNING' AND NOT queued ORDER BY random() LIMIT 1`,
    [projectID],
  );
  for (const { workflow_id: workflowID } of rows) await end(workflowID);
  await delay(PAUSE_MS);
}

/** Another process may end it at the same time. */
async function end(workflowID) {
  const inputs = { now: Date.now(), lastCommand: 0 };
  await writeStepCommit(database, { workflowID, number: 1, inputs, facts: toTheEnd, outcomes: [] });
}
