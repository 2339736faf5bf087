import { beforeAll, describe, expect, it } from 'vitest';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { listIncidentGroups } from '../../store/work/incidents/groups.js';
import { listIncidents, streamIncidents } from '../../store/work/incidents/lists.js';
import { began, commitStep, deploy, jobCreated, projectID, start, useStore } from './support/store.js';

const store = useStore();
const page = { page: 1, pageSize: 100 };
let definitionID: string;

beforeAll(async () => {
  ({ definitionID } = await deploy(store, 'grouped'));
});

async function raise(message: string, more: Partial<FactOf<'INCIDENT_RAISED'>> = {}): Promise<string> {
  const workflowID = await start(store, { definitionID });
  await commitStep(store, workflowID, 1, [
    ...began,
    { kind: 'INCIDENT_RAISED', incident: 3, element: 2, node: 'pay', errorType: 'BpmnError', message, ...more },
  ]);
  return workflowID;
}

async function recordOf(workflowID: string) {
  return (await listIncidents(store.database, projectID, { workflowID }, page)).data[0]!;
}

describe('the group of an incident', () => {
  it.each([
    ['order 17 failed after 3.5 s', 'order 9 failed after 12,000 s', 'order … failed after … s'],
    ['key "a \\" b" is taken', 'key "c" is taken', 'key … is taken'],
    [`no handler for 'E1', don't retry`, `no handler for 'E2', don't retry`, `no handler for …, don't retry`],
    ['5f0c2b9e-7c1d-4e55-9a51-3a2f60a1b9aa is gone', 'AAAAAAAA-7c1d-4e55-9a51-3a2f60a1b900 is gone', '… is gone'],
    ['is „missing“ in `a` and «b»', 'is „missing“ in `c` and «d»', 'is „missing“ in … and …'],
    [`unclosed "${'x'.repeat(2_000)}`, `unclosed "${'y'.repeat(3_000)}`, 'unclosed …'],
  ])('is the same for %j and %j', async (one, other, text) => {
    const [first, second] = [await recordOf(await raise(one)), await recordOf(await raise(other))];
    expect(first.groupID).toMatch(/^[0-9a-f]{32}$/);
    expect(second.groupID).toBe(first.groupID);
    const groups = await listIncidentGroups(store.database, projectID, { groupID: first.groupID }, page);
    expect(groups).toMatchObject({ total: 1, data: [{ message: text, count: 2, instances: 2, nodeID: 'pay' }] });
  });

  it('differs by node, error type, error code, and text', async () => {
    const ids = await Promise.all([
      raise('same'),
      raise('same', { node: 'ship' }),
      raise('same', { errorType: 'Unknown' }),
      raise('same', { errorCode: 'E' }),
      raise('same', { errorCode: '' }),
      raise('other'),
    ]);
    const groups = await Promise.all(ids.map(async (id) => (await recordOf(id)).groupID));
    expect(new Set(groups).size).toBe(ids.length);
  });

  it('is counted by the largest first, with first and last time, by every filter of the list', async () => {
    const { definitionID: other } = await deploy(store, 'counted');
    const workflowID = await start(store, { definitionID: other });
    const raised = (incident: number, message: string): FactOf<'INCIDENT_RAISED'> => ({
      kind: 'INCIDENT_RAISED',
      incident,
      element: 2,
      node: 'pay',
      errorType: 'Unknown',
      message,
    });
    await commitStep(store, workflowID, 1, [...began, raised(3, 'rare'), raised(4, 'often 1')]);
    await commitStep(store, workflowID, 2, [raised(5, 'often 2'), { kind: 'INCIDENT_RESOLVED', incident: 3 }]);
    const groups = async (more = {}) =>
      (await listIncidentGroups(store.database, projectID, { processId: 'counted', ...more }, page)).data;
    expect(await groups()).toMatchObject([
      {
        processID: 'counted',
        message: 'often …',
        count: 2,
        instances: 1,
        firstRaisedAt: new Date(0xf4241),
        lastRaisedAt: new Date(0xf4242),
      },
      { message: 'rare', count: 1 },
    ]);
    expect(await groups({ status: 'open' })).toHaveLength(1);
    expect(await groups({ messageContains: 'RAR' })).toMatchObject([{ message: 'rare' }]);
    expect(await listIncidentGroups(store.database, 'elsewhere', {}, page)).toMatchObject({ data: [], total: 0 });
  });
});

it('an incident names its scope and the job whose failure raised it', async () => {
  const workflowID = await start(store, { definitionID });
  await commitStep(store, workflowID, 1, [...began, ...jobCreated(2), ...jobCreated(4)]);
  await commitStep(
    store,
    workflowID,
    2,
    [
      { kind: 'JOB_FAILED', job: 3, errorCode: 'E' },
      { kind: 'INCIDENT_RAISED', incident: 6, element: 2, node: 'task', errorType: 'BpmnError', message: 'm' },
      { kind: 'INCIDENT_RAISED', incident: 7, element: 4, node: 'task', errorType: 'FeelError', message: 'm' },
    ],
    { incidentScopes: { 6: 1, 7: 1 } },
  );
  const { data } = await listIncidents(store.database, projectID, { workflowID }, { ...page, order: 'asc' });
  expect(data).toMatchObject([
    { scope: 1, executionKey: `${workflowID}:3` },
    { scope: 1, executionKey: null },
  ]);
});

it('a stream has every incident from its beginning once, and none raised later', async () => {
  const { definitionID: other } = await deploy(store, 'streamed');
  const workflowIDs: string[] = [];
  for (let index = 0; index < 250; index += 1) workflowIDs.push(await start(store, { definitionID: other }));
  const insert = (some: string[], number: number) =>
    store.database.query(
      `INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, error_type, message, raised_at)
       SELECT w, $2, $3, $4, 2, 'n', 'Unknown', 'm', clock_timestamp() FROM unnest($1::text[]) w`,
      [some, number, projectID, other],
    );
  await insert(workflowIDs, 1);
  const seen: string[] = [];
  for await (const { incidentID } of streamIncidents(store.database, projectID, { processId: 'streamed' }, 'asc')) {
    seen.push(incidentID);
    if (seen.length % 50 === 0) await insert(workflowIDs.slice(0, 20), seen.length);
  }
  expect(seen.toSorted()).toEqual(workflowIDs.map((id) => `${id}:1`).toSorted());
});
