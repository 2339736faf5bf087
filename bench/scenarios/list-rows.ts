/** Rows of all lists, as many of each, and values to filter them by. */
import { createHash } from 'node:crypto';
import type { Database } from '../../store/sql/database.js';

export const PROJECT = 'bench';

/** The first twenty are common. Of the last one is an instance in 2,000, and it is suspended. */
const VERSIONS = 21;
const versionOf = (index: string) => `('00000000-0000-4000-8000-' || lpad((${index})::text, 12, '0'))::uuid`;
const SECONDS_BETWEEN = 20;
const START = Date.parse('2026-01-01T00:00:00Z');

const instanceOf = (index: string) => `lpad(to_hex(${index}), 8, '0') || '-' || md5((${index})::text)`;
/** A tenth runs; a tenth is called by the instance before. */
const isRunning = 'n % 10 < 1';
const isCalled = 'n % 10 = 5';
const version = versionOf(`CASE WHEN n % 2000 = 0 THEN ${VERSIONS} ELSE 1 + n / 10 % ${VERSIONS - 1} END`);
const startedAt = `'2026-01-01'::timestamptz + n * interval '${SECONDS_BETWEEN} seconds'`;
const endedAt = `CASE WHEN NOT ${isRunning} THEN ${startedAt} + interval '5 minutes' END`;
const status = `CASE WHEN ${isRunning} THEN 'RUNNING' WHEN n % 100 = 3 THEN 'FAILED' ELSE 'COMPLETED' END`;
const numbers = 'generate_series(1, $1::int) n';

export async function seedLists(database: Database, count: number): Promise<void> {
  await seedVersions(database);
  await withoutIndexes(database, async () => {
    await seedInstances(database, count);
    await seedWork(database, count);
  });
  await database.query(
    `INSERT INTO targets (project_id, process_id, node_id, since, duration_ms) VALUES ('${PROJECT}', 'p1', '', '2026-01-01', 1)`,
  );
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
}

/** Builds the indexes afterward, which is faster. */
async function withoutIndexes(database: Database, seed: () => Promise<void>): Promise<void> {
  const { rows } = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename IN ('instances', 'jobs', 'incidents', 'user_tasks') AND indexname NOT LIKE '%_pkey'`,
  );
  for (const { name } of rows) await database.query(`DROP INDEX ${name}`);
  await seed();
  for (const { definition } of rows) await database.query(definition);
}

async function seedInstances(database: Database, count: number): Promise<void> {
  await database.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, parent_workflow_id, ancestor_definitions, project_id, definition_id,
       business_id, status, failure_reason, started_by, created_at, completed_at, active_nodes, open_incidents, variables)
     SELECT ${instanceOf('n')}, ${instanceOf(`n - (${isCalled})::int`)}, CASE WHEN ${isCalled} THEN ${instanceOf('n - 1')} END,
       CASE WHEN ${isCalled} THEN ARRAY[${versionOf(`1 + n / 10 % ${VERSIONS - 1}`)}] ELSE '{}' END, '${PROJECT}', ${version},
       'order-' || lpad(n::text, 8, '0'), ${status}, CASE WHEN n % 100 = 3 THEN 'host ' || n || ' is down' END, 'user-' || n % 1000,
       ${startedAt}, ${endedAt}, CASE WHEN ${isRunning} THEN ARRAY['node-' || n / 10 % 20] END,
       (${isRunning} AND n % 1000 = 0)::int, '{"amount": 12, "status": "open"}' FROM ${numbers}`,
    [count],
  );
}

async function seedVersions(database: Database): Promise<void> {
  await database.query('INSERT INTO projects (id, name) VALUES ($1, $1)', [PROJECT]);
  await database.query(`INSERT INTO graphs (sha256, graph) VALUES ('bench', '{}')`);
  await database.query(
    `WITH resource AS (INSERT INTO resources (project_id, name, xml, definitions_id, created_by) VALUES ($1, 'listed', '', 'listed', 'bench') RETURNING id)
     INSERT INTO definitions (id, project_id, resource_id, process_id, version, graph_sha256, compiler_version, suspended_at)
     SELECT ${versionOf('n')}, $1, resource.id, 'p' || n, 1, 'bench', 1, CASE WHEN n = ${VERSIONS} THEN now() END
     FROM resource, generate_series(1, ${VERSIONS}) n`,
    [PROJECT],
  );
}

async function seedWork(database: Database, count: number): Promise<void> {
  await database.query(
    `INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, status, retries, priority, locked_by,
       error_code, created_at, completed_at, available_at)
     SELECT ${instanceOf('n')}, 3, '${PROJECT}', ARRAY[${version}], 2, 'node-' || n / 10 % 20, 'type-' || n / 10 % 30,
       CASE WHEN ${isRunning} THEN 'PENDING' WHEN n % 100 = 3 THEN 'FAILED' ELSE 'COMPLETED' END, 3, n % 7,
       CASE WHEN NOT ${isRunning} THEN CASE WHEN n % 2000 = 7 THEN 'rare' ELSE 'worker-' || n % 10 END END,
       CASE WHEN n % 100 = 3 THEN 'E' || n / 100 % 20 END, ${startedAt}, ${endedAt}, ${startedAt} FROM ${numbers}`,
    [count],
  );
  await database.query(
    `INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, status, error_type, error_code, message, raised_at)
     SELECT ${instanceOf('n')}, 10, '${PROJECT}', ${version}, 2, 'node-' || n / 10 % 20, CASE WHEN ${isRunning} THEN 'OPEN' ELSE 'RESOLVED' END,
       CASE n % 3 WHEN 0 THEN 'BpmnError' WHEN 1 THEN 'FeelError' ELSE 'Unknown' END, 'E' || n / 10 % 20,
       'Host ' || n || ' refused the connection', ${startedAt} FROM ${numbers}`,
    [count],
  );
  await database.query(
    `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, status, candidate_users, candidate_groups, assignee, priority,
       due_date, created_at, completed_at)
     SELECT ${instanceOf('n')}, 5, '${PROJECT}', 2, 'node-' || n / 10 % 20, CASE WHEN ${isRunning} THEN 'CREATED' ELSE 'COMPLETED' END,
       ARRAY['user-' || n % 1000], ARRAY['group-' || n % 50], CASE WHEN n % 3 = 0 THEN 'user-' || n % 997 END, n % 5 * 10,
       CASE WHEN n % 4 < 3 THEN ${startedAt} + interval '1 day' END, ${startedAt}, ${endedAt} FROM ${numbers}`,
    [count],
  );
}

export type SeededValues = ReturnType<typeof valuesOf>;

/** An instance in the middle, and times with a tenth of the rows before or after them. */
export function valuesOf(count: number) {
  const middle = Math.floor(count / 2);
  const timeOf = (share: number) => new Date(START + share * count * SECONDS_BETWEEN * 1000).toISOString();
  return {
    rareDefinition: `00000000-0000-4000-8000-${String(VERSIONS).padStart(12, '0')}`,
    instance: `${middle.toString(16).padStart(8, '0')}-${createHash('md5').update(String(middle)).digest('hex')}`,
    businessId: `order-${String(middle).padStart(8, '0')}`,
    times: [
      { createdAfter: timeOf(0.9) },
      { createdBefore: timeOf(0.1) },
      { completedAfter: timeOf(0.9) },
      { completedBefore: timeOf(0.1) },
    ],
    oneDay: {
      completedAfter: timeOf(0.5),
      completedBefore: new Date(Date.parse(timeOf(0.5)) + 86_400_000).toISOString(),
    },
    raised: [{ since: timeOf(0.9) }, { until: timeOf(0.1) }],
    due: [{ dueAfter: timeOf(0.9) }, { dueBefore: timeOf(0.1) }],
  };
}
