/** Lists read by index, also where Postgres would expect early matches. */
import { beforeAll, expect, it } from 'vitest';
import { instanceConditions, type InstanceFilter } from '../../store/instances/filters.js';
import { incidentConditions, type IncidentFilter } from '../../store/work/incidents/filters.js';
import { MAX_COUNTED } from '../../store/sql/page.js';
import { listInstances } from '../../store/instances/lists.js';
import { deploy, projectID, useStore } from './support/store.js';

const store = useStore();
const COUNT = 30_000;

beforeAll(async () => {
  const { definitionID } = await deploy(store, 'many');
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, business_id, status, failure_reason, started_by,
       created_at, completed_at, variables)
     SELECT 'w' || n, $1, $2, 'w' || n, 'order-' || n, CASE WHEN n % 100 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
       CASE WHEN n % 100 = 0 THEN 'host ' || n || ' is down' END, 'user-' || n % 1000,
       '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-02'::timestamptz + n * interval '1 minute', '{}'
     FROM generate_series(1, ${COUNT}) n`,
    [projectID, definitionID],
  );
  await store.database.query(
    `INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, error_type, error_code, message, raised_at)
     SELECT 'w' || n, 4, $1, $2, 2, 'node-' || n % 1000, 'Unknown', 'E' || n % 1000, 'Host ' || n || ' failed with "' || n || '"',
       '2026-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, ${COUNT}) n`,
    [projectID, definitionID],
  );
  await store.database.query('ANALYZE instances, incidents');
});

async function plan(table: string, { text, values }: { text: string; values: unknown[] }): Promise<string> {
  const { rows } = await store.database.query(`EXPLAIN SELECT 1 FROM ${table} ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const time = '2026-01-01T00:30:00Z';

it.each<[InstanceFilter, string]>([
  [{ workflowIDPrefix: 'w1234' }, 'instances_pkey'],
  [{ businessIdPrefix: 'order-123' }, 'instances_by_business_id_text'],
  [{ failureReasonContains: 'host 700' }, 'instances_by_failure_reason'],
  [{ startedBy: 'user-7' }, 'instances_by_starter'],
  [{ createdBefore: time }, 'instances_by_creation'],
  [{ completedAfter: '2026-01-22T19:55:00Z' }, 'instances_by_completion'],
])('instances by %j are found with an index', async (filter, index) => {
  expect(await plan('instances i', instanceConditions(projectID, filter))).toContain(index);
});

it.each<[IncidentFilter, string]>([
  [{ nodeID: 'node-7' }, 'incidents_by_node'],
  [{ errorCode: 'E7' }, 'incidents_by_error_code'],
  [{ messageContains: 'host 2999' }, 'incidents_by_text'],
  [{ groupID: '0'.repeat(32) }, 'incidents_by_group'],
])('incidents by %j are found with an index', async (filter, index) => {
  expect(await plan('incidents n', incidentConditions(projectID, filter))).toContain(index);
});

it('a total is exact up to the limit, and an estimate of more than that beyond it', async () => {
  const read = (filter: InstanceFilter, page = 1) =>
    listInstances(store.database, projectID, filter, { page, pageSize: 100 });
  const exact = await read({ createdBefore: '2026-01-07T22:40:00Z' });
  expect(exact).toMatchObject({ total: MAX_COUNTED });
  expect(exact.isTotalEstimate).toBeUndefined();
  const estimated = await read({});
  expect(estimated.isTotalEstimate).toBe(true);
  expect(estimated.total).toBeGreaterThan(MAX_COUNTED);
  const last = await read({}, COUNT / 100);
  expect(last.data).toHaveLength(100);
  expect(last.total).toBeGreaterThanOrEqual(COUNT);
  expect(await read({}, COUNT / 100 + 1)).toMatchObject({ data: [], isTotalEstimate: true });
});

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

it('a page far from the beginning of a long list joins its own rows only', async () => {
  const plans: Plan[] = [];
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      if (text.includes('OFFSET')) {
        const { rows } = await store.database.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
        plans.push(rows[0]!['QUERY PLAN'][0].Plan);
      }
      return store.database.query(text, values);
    },
  } as unknown as typeof store.database;
  const { data } = await listInstances(explaining, projectID, {}, { page: 250, pageSize: 100 });
  expect(data).toHaveLength(100);
  const joined: number[] = [];
  const visit = (plan: Plan) => {
    if (/Join|Nested Loop/.test(plan['Node Type'])) joined.push(plan['Actual Rows'] * plan['Actual Loops']);
    plan.Plans?.forEach(visit);
  };
  plans.forEach(visit);
  expect(joined.length).toBeGreaterThan(0);
  expect(Math.max(...joined)).toBeLessThanOrEqual(100);
});
