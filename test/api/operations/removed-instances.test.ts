import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBpmnInstance } from '../../../api/operations/instances/get.js';
import { listBpmnInstanceHistory } from '../../../api/operations/instances/list-history.js';
import { listBpmnInstances } from '../../../api/operations/instances/list.js';
import { listBpmnInstanceTimeline } from '../../../api/operations/instances/list-timeline.js';
import { searchBpmnInstances } from '../../../api/operations/search/search.js';
import { historyRetention } from '../../../worker/chores/history-retention.js';
import { runAll } from '../../worker/support/chores.js';
import { began, deploy, commitStep, foldAll, projectID, start, useStore } from '../../store/support/store.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { read } from './support/host.js';

const store = useStore();
let api: TestApi;
beforeAll(async () => {
  const operations = [
    getBpmnInstance,
    listBpmnInstances,
    listBpmnInstanceHistory,
    listBpmnInstanceTimeline,
    searchBpmnInstances,
  ];
  api = await startTestApi({ store: store.database, operations });
});
afterAll(() => api?.close());

async function call(method: 'GET' | 'POST', path: string, json?: unknown) {
  const token = await api.issuer.sign({ projects: [{ id: projectID, roles: ['viewer'] }] });
  return read(
    await api.request(method, `/projects/${projectID}/bpmn/instances${path}`, {
      token,
      ...(json !== undefined && { json }),
    }),
  );
}

test('a removed instance is gone from every answer, and a search that is under way continues without it', async () => {
  const { definitionID } = await deploy(store);
  const [oldest, removed, newest] = [
    await start(store, { definitionID, variables: { n: 1 } }),
    await start(store, { definitionID, variables: { n: 1 } }),
    await start(store, { definitionID, variables: { n: 1 } }),
  ];
  await commitStep(store, removed, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
  await store.database.query(`UPDATE instances SET completed_at = now() - interval '2 days' WHERE workflow_id = $1`, [
    removed,
  ]);
  const search = { definitionID, predicate: 'n = 1', limit: 1 };
  const first = (await call('POST', '/search', search)).body;
  expect(first.matches).toMatchObject([{ workflowID: newest }]);
  expect((await call('GET', `/${removed}`)).status).toBe(200);

  await foldAll(store);
  await runAll(
    historyRetention({
      store: store.database,
      defaultMilliseconds: 86_400_000,
      audit: { defaultMilliseconds: undefined, minimumMilliseconds: 0 },
      onRemoved: () => undefined,
    }),
  );

  const second = (await call('POST', '/search', { ...search, cursor: first.nextCursor })).body;
  expect(second).toMatchObject({ matches: [{ workflowID: oldest }], scanned: 1, exhausted: true });
  for (const path of ['', '/history', '/timeline'])
    expect((await call('GET', `/${removed}${path}`)).status, path).toBe(404);
  const { body: list } = await call('GET', `?definitionID=${definitionID}`);
  expect(list.data.map(({ workflowID }: { workflowID: string }) => workflowID)).toEqual([newest, oldest]);
  expect(list.pagination.total).toBe(2);
});
