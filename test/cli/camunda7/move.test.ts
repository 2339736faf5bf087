/** `perdure import camunda7` against an engine with the REST API of Camunda 7. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { callActivity, catchEvent, on, root, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { unwrap, type Schemas } from '@perdure/client';
import { compiledScript } from '../../../dev/repository.js';
import { exitCodes } from '../../../packages/cli/command.js';
import { projectID, startClientHost, type ClientHost } from '../../client/support/host.js';
import { uniqueName } from '../../support/infrastructure.js';
import { runWith } from '../support/run.js';
import { activity, startEngine, variable, type Engine, type EngineInstance } from './support/engine.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-move-'));
let host: ClientHost;
let engine: Engine;
let key: string;

beforeAll(async () => void (host = await startClientHost()));
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  key = uniqueName('order');
  const called = `${key}-delivery`;
  const xml = sequenceModel(
    key,
    [
      userTask('approve'),
      serviceTask('book', { type: `${key}-book` }),
      catchEvent('hold', on.timer('P30D')),
      catchEvent('paid', on.message('order-paid')),
      callActivity('deliver', called),
    ],
    [root.message('order-paid', '=orderID')],
  );
  const below = sequenceModel(called, [serviceTask('drive', { type: `${key}-drive` })]);
  for (const model of [below, xml]) await host.deploy(model);
  const timer = { id: 'jd-hold', jobType: 'timer-intermediate-transition', activityId: 'hold' };
  engine = await startEngine([
    { id: `${key}:1:a`, xml, jobDefinitions: [timer] },
    { id: `${called}:1:b`, xml: below },
  ]);
});
afterEach(() => engine?.close());

const environment = () => ({
  PERDURE_API: host.api,
  PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
  PERDURE_CLIENT_ID: 'admin',
  PERDURE_CLIENT_SECRET: 'dev-admin',
});
const words = (...more: string[]) => ['import', 'camunda7', '--url', engine.url, '--process', key, ...more];
const move = (...more: string[]) => runWith(words(...more), environment(), folder);

/** Instances of the engine get ids that no other test uses. */
const idOf = (name: string) => `${key}-${name}`;
function add(name: string, instance: Partial<EngineInstance> & Pick<EngineInstance, 'children'>): string {
  const id = idOf(name);
  const variables = [variable(id, 'orderID', 'String', name)];
  engine.instances.set(id, { id, definitionId: `${key}:1:a`, businessKey: id, variables, ...instance });
  return id;
}

/** One at each kind of wait state. */
function addAll(): string[] {
  const dueDate = '2035-01-01T00:00:00.000+0000';
  const hold = activity('intermediateTimer', 'hold');
  const book = activity('serviceTask', 'book');
  const approve = activity('userTask', 'approve');
  const tasks = [{ id: 't', executionId: `x-${approve.id}`, assignee: 'ann', links: [], comments: [] }];
  const ids = [
    add('task', { children: [approve], tasks }),
    add('job', { children: [book], externalTasks: [{ id: 'e1', activityInstanceId: book.id, retries: 2 }] }),
    add('timer', {
      children: [hold],
      jobs: [{ id: 'j1', jobDefinitionId: 'jd-hold', executionId: `x-${hold.id}`, dueDate }],
    }),
    add('message', { children: [activity('intermediateMessageCatch', 'paid')] }),
    add('call', { children: [activity('callActivity', 'deliver')] }),
  ];
  add('below', {
    definitionId: `${key}-delivery:1:b`,
    calledBy: { instance: idOf('call'), activity: 'deliver:1' },
    children: [activity('serviceTask', 'drive')],
  });
  return ids;
}

async function imported(id: string): Promise<Schemas['BpmnInstance'][]> {
  const params = { path: { projectID }, query: { importedFrom: 'camunda7', importedFromID: id } };
  const { data } = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
    host.client('admin').GET('/projects/{projectID}/bpmn/instances', { params }),
  );
  return data as Schemas['BpmnInstance'][];
}

async function waitsOf(workflowID: string): Promise<Schemas['BpmnInstanceWaitPaginatedResponse']['data']> {
  const params = { path: { projectID, workflowID } };
  const { data } = await unwrap<Schemas['BpmnInstanceWaitPaginatedResponse']>(
    host.client('admin').GET('/projects/{projectID}/bpmn/instances/{workflowID}/waits', { params }),
  );
  return data;
}

it('a dry run shows where instances wait, which version they fit, and what cannot move, and changes nothing', async () => {
  addAll();
  const strange = add('strange', { children: [activity('userTask', 'gone')] });
  const { code, out } = await move('--dry-run');
  expect(code).toBe(exitCodes.refused);
  for (const state of ['approve', 'book', 'deliver', 'hold', 'paid'])
    expect(out).toContainEqual(expect.stringMatching(new RegExp(`^${state} +1 +1$`)));
  expect(out).toContainEqual(expect.stringMatching(/^gone +1 +none$/));
  expect(out).toContain(`${strange}  cannot be moved`);
  expect(out.at(-1)).toBe('6 instances: 5 can be moved, 1 cannot');
  expect(engine.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  expect(await imported(idOf('task'))).toEqual([]);
  const map = join(folder, `${key}-map.json`);
  writeFileSync(map, JSON.stringify({ nodes: { gone: 'approve' } }));
  expect((await move('--dry-run', '--map', map)).code).toBe(exitCodes.done);
});

it('a move suspends each instance, imports it as it is, and does nothing when it is repeated', async () => {
  const ids = addAll();
  const before = add('suspended', { children: [activity('userTask', 'approve')], suspended: true });
  const stubborn = add('stubborn', { children: [activity('userTask', 'approve')] });
  engine.stubborn.add(stubborn);
  const strange = add('strange', { children: [activity('userTask', 'gone')] });
  const { code, out, errors } = await move('--batch', '3');
  expect({ code, errors }).toEqual({ code: exitCodes.refused, errors: [] });
  expect(out).toContain(`${stubborn}  refused`);
  expect(out).toContain(`  ${stubborn} cannot be suspended`);
  expect(out).toContain(`${strange}  refused`);
  for (const id of [stubborn, strange]) {
    expect(await imported(id)).toEqual([]);
    expect(engine.instances.get(id)!.suspended, 'it continues there').toBeFalsy();
  }
  for (const id of [...ids, before, idOf('below')]) {
    expect(await imported(id), id).toHaveLength(1);
    expect(engine.instances.get(id)!.suspended).toBe(true);
  }
  const [atTimer] = await imported(idOf('timer'));
  expect(atTimer).toMatchObject({ businessId: idOf('timer'), createdAt: '2026-01-05T08:00:00.000Z' });
  expect(await waitsOf(atTimer!.workflowID)).toMatchObject([{ nodeID: 'hold', dueAt: '2035-01-01T00:00:00.000Z' }]);
  const [below] = await imported(idOf('below'));
  expect(below).toMatchObject({ parentWorkflowID: (await imported(idOf('call')))[0]!.workflowID });
  expect((await imported(before))[0]).toMatchObject({ suspendedAt: expect.any(String) });
  expect((await imported(idOf('task')))[0]).not.toHaveProperty('suspendedAt');
  engine.instances.delete(stubborn);
  engine.instances.delete(strange);
  const again = await move();
  expect(again.code).toBe(exitCodes.done);
  expect(again.out.at(-1)).toMatch(/^0 imported, 6 before, 0 refused, 0 taken back, 2 ended/);
});

it('a rollback cancels only what is as it was imported, and resumes what the move has suspended', async () => {
  const [atTask, ...others] = addAll();
  const before = add('suspended', { children: [activity('userTask', 'approve')], suspended: true });
  expect((await move()).code).toBe(exitCodes.done);
  const { workflowID } = (await imported(atTask!))[0]!;
  await unwrap(
    host.client('admin').PUT('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
      params: { path: { projectID, workflowID }, header: { Prefer: 'wait=30' } },
      body: { variables: { seen: true }, reason: 'r' },
    }),
  );
  const { code, out } = await move('--rollback');
  expect(code).toBe(exitCodes.refused);
  const line = out.findIndex((text) => text.startsWith(`${atTask}  left alone`));
  expect(out.slice(line + 1, line + 5).join('\n')).toContain('VARIABLES_SET');
  expect((await imported(atTask!))[0]).toMatchObject({ status: 'RUNNING' });
  expect(engine.instances.get(atTask!)!.suspended).toBe(true);
  for (const id of [...others, idOf('below'), before])
    await vi.waitFor(async () => expect((await imported(id))[0]).toMatchObject({ status: 'CANCELED' }), {
      timeout: 30_000,
      interval: 100,
    });
  for (const id of [...others, idOf('below')]) expect(engine.instances.get(id)!.suspended, id).toBe(false);
  expect(engine.instances.get(before)!.suspended, 'another caller has suspended it').toBe(true);
  for (const log of [[], ['--log', join(folder, `${key}-lost.jsonl`)]]) {
    const again = await move(...log);
    expect(again.code).toBe(exitCodes.refused);
    expect(again.out).toContainEqual(expect.stringMatching(/ was taken back: erase instance /));
  }
});

it('a move that is killed again and again continues by its log, and imports no instance twice', async () => {
  const ids = Array.from({ length: 20 }, (_, index) =>
    add(`n${index}`, { children: [activity('userTask', 'approve')] }),
  );
  const program = compiledScript('packages/cli/main.js');
  expect(existsSync(program)).toBe(true);
  const log = join(folder, `perdure-import-${key}.jsonl`);
  let kills = 0;
  for (const requests of [15, 40, 61]) {
    const child = spawn(process.execPath, [program, ...words()], {
      cwd: folder,
      env: { ...process.env, ...environment() },
    });
    const ended = new Promise<NodeJS.Signals | null>(
      (resolve) => void child.once('exit', (_, signal) => resolve(signal)),
    );
    let seen = 0;
    engine.before = () => {
      seen += 1;
      if (seen === requests) child.kill('SIGKILL');
    };
    if ((await ended) === 'SIGKILL') kills += 1;
  }
  expect(kills).toBe(3);
  engine.before = () => undefined;
  const last = await move('--log', log);
  expect(last).toMatchObject({ code: exitCodes.done, errors: [] });
  for (const id of ids) {
    expect(await imported(id), id).toHaveLength(1);
    expect(engine.instances.get(id)!.suspended).toBe(true);
  }
  const recorded = ids.filter((id) => readFileSync(log, 'utf8').includes(`"event":"suspending","instance":"${id}"`));
  expect(recorded, 'each is recorded as suspended by the move').toEqual(ids);
});

it.each([
  [['--process', 'p'], /needs --url URL/],
  [['--url', 'http://127.0.0.1:1'], /needs --process KEY/],
  [['--url', 'engine', '--process', 'p'], /--url must be the REST API/],
  [['--url', 'http://127.0.0.1:1', '--process', 'p', '--dry-run', '--rollback'], /not both/],
])('%j is wrong use', async (options, message) => {
  const { code, errors } = await runWith(['import', 'camunda7', ...options], environment(), folder);
  expect({ code, errors }).toEqual({ code: exitCodes.wrongUse, errors: [expect.stringMatching(message)] });
});

it('options of a move are refused for files', async () => {
  const { code, errors } = await runWith(['import', 'a.json', '--rollback'], environment(), folder);
  expect({ code, errors }).toEqual({ code: exitCodes.wrongUse, errors: [expect.stringMatching(/^--rollback is for/)] });
});
