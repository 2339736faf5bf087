/** The command `perdure test --host`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { unwrap, type Schemas } from '@perdure/client';
import {
  adHocSubProcess,
  boundaryEvent,
  callActivity,
  endEvent,
  multiInstance,
  on,
  processModel,
  receiveTask,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { repositoryRoot } from '../../dev/repository.js';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import { runWith } from './support/run.js';

vi.setConfig({ testTimeout: 180_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-on-host-'));
const examples = join(repositoryRoot, 'examples');
let host: ClientHost;

beforeAll(async () => {
  host = await startClientHost();
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

const perdure = (words: string[], account = 'editor') =>
  runWith(words, {
    PERDURE_API: host.api,
    PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
    PERDURE_CLIENT_ID: account,
    PERDURE_CLIENT_SECRET: `dev-${account}`,
  });

/** Runs one scenario of a model that is not deployed. */
async function play(model: string, scenario: object) {
  const [modelFile, scenarioFile] = [join(folder, 'model.bpmn'), join(folder, 'a.scenario.json')];
  writeFileSync(modelFile, model);
  writeFileSync(scenarioFile, JSON.stringify({ name: 'one', process: 'order', start: {}, steps: [], ...scenario }));
  return perdure(['test', scenarioFile, '--host']);
}

async function testsThatRun(): Promise<number> {
  const { pagination } = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
    host.client('editor').GET('/projects/{projectID}/bpmn/instances', {
      params: { path: { projectID }, query: { isTest: true, status: 'RUNNING' } },
    }),
  );
  return pagination.total;
}

async function resources(): Promise<number> {
  const { pagination } = await unwrap<Schemas['BpmnResourcePaginatedResponse']>(
    host.client('editor').GET('/projects/{projectID}/bpmn/resources', {
      params: { path: { projectID } },
    }),
  );
  return pagination.total;
}

it('the scenarios of the examples pass on a host, or say why they do not run there', async () => {
  for (const name of ['order-fulfilment', 'book-trip', 'expense-approval', 'support-case'])
    expect((await perdure(['deploy', join(examples, name)])).code).toBe(0);
  const before = await resources();
  const { code, out, errors } = await perdure(['test', examples, '--host']);
  expect(errors).toEqual([]);
  expect(out.filter((line) => line.startsWith('FAIL'))).toEqual([]);
  expect(code).toBe(0);
  const skipped = out.filter((line) => line.startsWith('skip')).map((line) => line.replace(/.*examples./, ''));
  expect(skipped.every((line) => line.startsWith('expense-approval/'))).toBe(true);
  expect(out).toContain('      an expression reads now() or today()');
  expect(out.filter((line) => line.startsWith('pass')).length).toBeGreaterThan(8);
  expect(await testsThatRun()).toBe(0);
  expect(await resources()).toBe(before);
});

it('a failed scenario shows what was expected and found, and its test is canceled', async () => {
  const model = sequenceModel('order', [serviceTask('ship')]);
  const { code, out } = await play(model, { expect: { status: 'COMPLETED', active: [] } });
  expect(code).toBe(1);
  expect(out[1]).toBe('      expect: the process is not as expected');
  expect(out.slice(3, 5).map((line) => line.trim().split(/\s+/))).toEqual([
    ['status', 'COMPLETED', 'RUNNING'],
    ['active', 'none', 'ship'],
  ]);
  expect(await testsThatRun()).toBe(0);
});

it('a step counts several waits at one element, and starts activities of an ad-hoc sub-process', async () => {
  const model = processModel(
    'order',
    [
      startEvent('start'),
      serviceTask('pack', { loop: multiInstance('=[1, 2]', { element: 'parcel' }) }),
      adHocSubProcess('care', [userTask('ring'), userTask('write')]),
      endEvent('end'),
    ],
    'start -> pack -> care -> end',
  );
  const { code, out } = await play(model, {
    steps: [
      { completeJob: { node: 'pack', nth: 2 } },
      { completeJob: { node: 'pack' } },
      { triggerAdHoc: { node: 'care', activity: 'ring' } },
      { triggerAdHoc: { node: 'care', activity: 'write' } },
      { completeTask: { node: 'ring' } },
      { completeTask: { node: 'write' } },
    ],
    expect: { status: 'COMPLETED', passed: ['ring', 'write'] },
  });
  expect(out.join('\n')).toContain('1 scenario, all passed');
  expect(code).toBe(0);
});

it('the clock of a scenario fires the timers that are due, each tick of a cycle at its own time', async () => {
  const model = processModel(
    'order',
    [
      startEvent('start'),
      serviceTask('ship'),
      boundaryEvent('remind', 'ship', on.cycle('R3/PT2H'), { interrupting: false }),
      boundaryEvent('late', 'ship', on.timer('PT5H')),
      endEvent('reminded'),
      endEvent('end'),
      endEvent('canceled'),
    ],
    ['a: start -> ship', 'b: ship -> end', 'c: remind -> reminded', 'd: late -> canceled'],
  );
  const reminders = (count: number) => Array.from({ length: count }, () => 'reminded');
  const { out, code } = await play(model, {
    steps: [
      { advance: 'PT1H59M' },
      { expect: { notPassed: ['reminded'], active: ['ship'] } },
      { advance: 'PT1M' },
      { expect: { passed: reminders(1), active: ['ship'] } },
      { advance: 'PT2H' },
      { expect: { passed: reminders(2), active: ['ship'] } },
      { advance: 'next timer' },
    ],
    expect: { status: 'COMPLETED', passed: [...reminders(2), 'late', 'canceled'] },
  });
  expect(out[0]).toMatch(/^pass/);
  expect(code).toBe(0);
});

it('messages reach only the test, and one that nothing takes is gone for the next scenario', async () => {
  const paid = uniqueName('paid');
  const model = sequenceModel('order', [receiveTask('pay', paid)], root.message(paid, '=orderID'));
  const start = { variables: { orderID: 'o-1' } };
  const wrong = { publish: { message: paid, correlation: 'o-2' } };
  const unmatched = await play(model, { start, steps: [wrong], expect: { active: ['pay'] } });
  expect(unmatched).toMatchObject({ errors: [], out: [expect.stringMatching(/^pass/), expect.anything()] });
  const other = { variables: { orderID: 'o-2' } };
  expect((await play(model, { start: other, expect: { active: ['pay'] } })).out[0]).toMatch(/^pass/);
  const right = { publish: { message: paid, correlation: 'o-1', variables: { amount: 7 } } };
  const matched = await play(model, {
    start,
    steps: [right],
    expect: { status: 'COMPLETED', variables: { amount: 7 } },
  });
  expect(matched.out[0]).toMatch(/^pass/);
});

it('calls the deployed process, and looks for jobs there', async () => {
  const called = uniqueName('pick');
  const calledFile = join(mkdtempSync(join(folder, 'called-')), 'pick.bpmn');
  writeFileSync(calledFile, sequenceModel(called, [serviceTask('pick')]));
  expect((await perdure(['deploy', calledFile])).code).toBe(0);
  const model = sequenceModel('order', [callActivity('picking', called)]);
  const picked = { completeJob: { node: 'pick', in: 'picking', variables: { picked: true } } };
  const { out } = await play(model, { steps: [picked], expect: { status: 'COMPLETED', passed: ['picking', 'end'] } });
  expect(out[0]).toMatch(/^pass/);
});

it('does not measure coverage', async () => {
  const { code, errors } = await perdure(['test', examples, '--host', '--coverage', folder]);
  expect(code).toBe(2);
  expect(errors[0]).toBe('A host does not measure coverage. Run perdure test without --host for it.');
});

it('ends with the first refusal if the account is not an editor of the project', async () => {
  const { code, out, errors } = await perdure(['test', examples, '--host'], 'viewer');
  expect(code).toBe(1);
  expect(errors.join('\n')).toContain('404');
  expect(out.filter((line) => line.startsWith('fail'))).toEqual([]);
});
