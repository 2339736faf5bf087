/** The commands for operators, on a host of the test run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  adHocSubProcess,
  catchEvent,
  endEvent,
  on,
  processModel,
  root,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { exitCodes } from '../../packages/cli/command.js';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import { runWith, type Said } from './support/run.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-operators-'));
let host: ClientHost;

beforeAll(async () => void (host = await startClientHost()));
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true });
});

const environment = (account = 'admin') => ({
  PERDURE_API: host.api,
  PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
  PERDURE_CLIENT_ID: account,
  PERDURE_CLIENT_SECRET: `dev-${account}`,
});
const perdure = (...words: string[]) => runWith(words, environment(), folder);
const as = (account: string, ...words: string[]) => runWith(words, environment(account), folder);

async function json<Answer = any>(...words: string[]): Promise<Answer> {
  const { out, errors } = await perdure(...words, '--output', 'json');
  expect(errors).toEqual([]);
  return JSON.parse(out[0]!) as Answer;
}

/** The host carries out some things after its response. */
const patiently = { timeout: 60_000, interval: 100 };

function write(name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function deploy(id: string, elements: readonly string[]): Promise<void> {
  expect(await perdure('deploy', write(`${id}.bpmn`, sequenceModel(id, elements)))).toMatchObject({ code: 0 });
}

async function started(id: string, elements: readonly string[], variables: object = {}): Promise<string> {
  await deploy(id, elements);
  return (await perdure('start', id, '--variables', JSON.stringify(variables))).out[0]!;
}

function expectDone(said: Said, text: RegExp): void {
  expect(said).toEqual({ code: exitCodes.done, out: [expect.stringMatching(text)], errors: [] });
}

it('the command line finds an incident, shows it, and resolves it with the variable that was wrong', async () => {
  const id = uniqueName('broken');
  const instance = await started(id, [scriptTask('divide', '=1 / x', 'y')], { x: 0 });
  const [incident] = await vi.waitFor(async () => {
    const { data } = await json('incidents', 'list', '--instance', instance);
    expect(data).toHaveLength(1);
    return data;
  }, patiently);
  expect((await perdure('show', instance)).out.join('\n')).toContain(
    `perdure incidents resolve ${incident.incidentID}`,
  );
  const shown = await perdure('incidents', 'show', incident.incidentID);
  expect(shown.out[0]).toBe(`Incident     ${incident.incidentID}, open`);
  expectDone(await perdure('incidents', 'resolve', incident.incidentID, '--variables', '{"x": 4}'), /runs again$/);
  await vi.waitFor(async () => expect((await json('show', instance)).status).toBe('COMPLETED'), patiently);
  expect(await json('incidents', 'list', '--process', id)).toMatchObject({ data: [] });
  expect((await json('incidents', 'list', '--process', id, '--status', 'resolved')).data).toHaveLength(1);
});

it('the command line reads and sets variables, and says which ones are missing', async () => {
  const instance = await started(uniqueName('order'), [serviceTask('work')], { total: 7, note: 'old' });
  expectDone(await perdure('variables', 'set', instance, '{"total": 9, "note": null}'), /^Variables of .* set$/);
  expect(await json('variables', 'get', instance)).toEqual({ total: 9 });
  expect(await perdure('variables', 'get', instance, 'total', 'note')).toEqual({
    code: exitCodes.refused,
    out: ['total = 9'],
    errors: ['The instance has no variable "note"'],
  });
});

it('the command line suspends and resumes an instance and a definition, and cancels with a reason', async () => {
  const id = uniqueName('order');
  const instance = await started(id, [serviceTask('work')]);
  expectDone(await perdure('suspend', instance, '--reason', 'the carrier is down'), /suspended$/);
  expect((await perdure('show', instance)).out.join('\n')).toMatch(/Suspended +itself, by \S+: the carrier is down/);
  expectDone(await perdure('resume', instance), /resumed$/);
  expectDone(await perdure('definitions', 'suspend', id), /suspended$/);
  expect(await perdure('start', id)).toMatchObject({
    code: exitCodes.refused,
    errors: [expect.stringContaining('Run perdure definitions resume PROCESS first.')],
  });
  expectDone(await perdure('definitions', 'resume', id), /resumed$/);
  expectDone(await perdure('cancel', instance, '--reason', 'ordered twice'), /canceled$/);
  expect(await perdure('cancel', instance)).toMatchObject({
    code: exitCodes.refused,
    errors: [expect.stringContaining('Run perdure show WORKFLOW_ID to see how it ended.')],
  });
});

it('the command line suspends the starts of all versions of a process, and withdraws a suspension that is due later', async () => {
  const id = uniqueName('order');
  const instance = await started(id, [serviceTask('work')]);
  await deploy(id, [serviceTask('other')]);
  const suspended = await perdure('definitions', 'suspend', id, '--all-versions', '--starts-only');
  expect(suspended).toMatchObject({
    code: exitCodes.done,
    out: [expect.stringMatching(/suspended$/), expect.stringMatching(/suspended$/)],
  });
  for (const version of ['1', '2'])
    expect(await perdure('start', id, '--version', version)).toMatchObject({ code: exitCodes.refused });
  expect((await perdure('show', instance)).out.join('\n')).not.toMatch(/Suspended/);
  expect(await perdure('definitions', 'resume', id, '--all-versions')).toMatchObject({ code: exitCodes.done });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await json('definitions', 'suspend', id, '--at', at);
  expect(scheduled).toEqual({ status: 'APPLIED', definitionIDs: [expect.any(String)] });
  expect(await perdure('start', id)).toMatchObject({ code: exitCodes.done });
  expectDone(await perdure('definitions', 'resume', id), /resumed$/);
  expect(await perdure('definitions', 'suspend', id, '--all-versions', '--version', '1')).toMatchObject({
    code: exitCodes.wrongUse,
  });
  expect(await perdure('definitions', 'suspend', 'unknown', '--all-versions')).toMatchObject({
    code: exitCodes.refused,
    errors: [expect.stringContaining('has no process unknown')],
  });
});

it('the command line redacts variables of an ended instance, and erases it', async () => {
  const instance = await started(uniqueName('order'), [serviceTask('work')], { iban: 'DE00', total: 5 });
  expect(await perdure('redact', instance, 'iban')).toMatchObject({
    code: exitCodes.refused,
    errors: [expect.stringContaining('is RUNNING')],
  });
  expectDone(await perdure('cancel', instance), /canceled$/);
  await vi.waitFor(async () => expect(await json('show', instance)).toMatchObject({ status: 'CANCELED' }), patiently);
  expectDone(await perdure('redact', instance, 'iban', 'name', '--reason', 'on request'), /iban, name redacted$/);
  expect(await json('variables', 'get', instance)).toEqual({ iban: null, total: 5 });
  expect((await perdure('show', instance)).out.join('\n')).toMatch(/Redacted +iban, name/);
  expectDone(await perdure('erase', instance, '--reason', 'on request'), /erased$/);
  expect(await perdure('show', instance)).toMatchObject({ code: exitCodes.refused });
});

it('the command line completes a job, fails one, and retries what its last attempt has left', async () => {
  const id = uniqueName('job');
  const instance = await started(id, [serviceTask('work', { type: id, retries: 1 })]);
  const findJob = (status: string) =>
    vi.waitFor(async () => {
      const { data } = await json('jobs', 'list', '--type', id, '--status', status);
      expect(data).toHaveLength(1);
      return data[0].executionKey as string;
    }, patiently);
  const job = await findJob('pending');
  expect((await json('jobs', 'queue')).items).toContainEqual({ taskType: id, pendingCount: 1 });
  expectDone(await perdure('jobs', 'fail', job, 'DOWN', '--message', 'no answer'), /failed$/);
  await findJob('failed');
  expectDone(await perdure('jobs', 'retry', job), /runs again$/);
  expectDone(
    await perdure('jobs', 'complete', await findJob('pending'), '--variables', '{"paid": true}'),
    /completed$/,
  );
  await vi.waitFor(async () => expect((await json('show', instance)).status).toBe('COMPLETED'), patiently);
  expect(await json('variables', 'get', instance)).toEqual({ paid: true });
});

it('decides about an ad-hoc sub-process with the result of its job', async () => {
  const id = uniqueName('agent');
  const instance = await started(id, [adHocSubProcess('agent', [serviceTask('tool')], [], { job: id })]);
  const job = await vi.waitFor(async () => {
    const { data } = await json('jobs', 'list', '--type', id, '--status', 'pending');
    return data[0].executionKey as string;
  }, patiently);
  const decide = (result: object) => perdure('jobs', 'complete', job, '--result', JSON.stringify(result));
  expect(await decide({ activateElements: [{ elementId: 'nothing' }] })).toMatchObject({ code: exitCodes.refused });
  expectDone(await decide({ isCompletionConditionFulfilled: true }), /completed$/);
  await vi.waitFor(async () => expect((await json('show', instance)).status).toBe('COMPLETED'), patiently);
});

it('claims, comments on, and completes a user task', async () => {
  const id = uniqueName('task');
  const instance = await started(id, [userTask('approve')]);
  const task = await vi.waitFor(async () => {
    const { data } = await json('tasks', 'list', '--process', id);
    return data[0].executionKey as string;
  }, patiently);
  expectDone(await perdure('tasks', 'claim', task), /is yours$/);
  expect((await json('tasks', 'mine', '--instance', instance)).data).toHaveLength(1);
  expectDone(await perdure('tasks', 'comment', task, 'calls back at noon'), /^Comment added/);
  expectDone(await perdure('tasks', 'unclaim', task), /has no assignee$/);
  expect((await perdure('tasks', 'show', task)).out[0]).toMatch(/^Task +.*approve/);
  expectDone(await perdure('tasks', 'complete', task, '--variables', '{"approved": true}'), /completed$/);
  const approvals = await json('audit', '--instance', instance, '--operation', 'CompleteBpmnUserTask');
  expect(approvals.data).toMatchObject([{ outcome: 'APPLIED', executionKey: task, names: ['approved'] }]);
  await vi.waitFor(async () => expect((await json('show', instance)).status).toBe('COMPLETED'), patiently);
});

it('the command line shows the actor, time, and reason of an approval, and writes every change as a line', async () => {
  const [id, order] = [uniqueName('approval'), uniqueName('order')];
  await deploy(id, [userTask('approve')]);
  expect(await perdure('start', id, '--business-id', order)).toMatchObject({ code: exitCodes.done });
  const task = await vi.waitFor(
    async () => (await json('tasks', 'list', '--process', id)).data[0].executionKey,
    patiently,
  );
  expectDone(await perdure('tasks', 'complete', task, '--reason', 'within budget'), /completed$/);
  const approved = await perdure('audit', '--business-id', order, '--operation', 'CompleteBpmnUserTask');
  expect(approved).toMatchObject({ code: exitCodes.done, errors: [] });
  expect(approved.out).toHaveLength(3);
  expect(approved.out[1]).toMatch(/^\d{4}-\d\d-\d\dT\S+ +\S+ +CompleteBpmnUserTask +APPLIED +\S+ +within budget$/);
  const all = await perdure('audit', '--business-id', order, '--all');
  expect(all.out.map((line) => JSON.parse(line).operation)).toEqual(['CompleteBpmnUserTask', 'StartBpmnInstance']);
  expect((await perdure('audit', '--all', '--page', '2')).code).toBe(exitCodes.refused);
});

it('the command line sets a limit of a process, whose further instances wait', async () => {
  const first = await started('limited', [userTask('approve')]);
  const set = await perdure(
    'processes',
    'configure',
    'limited',
    '--concurrent',
    '1',
    '--max-queued',
    '3',
    '--reason',
    'stock',
  );
  expect(set).toMatchObject({ code: 0, errors: [] });
  expect(set.out.join('\n')).toMatch(/Concurrent instances +1\n.*When full +QUEUE\n.*Queued at most +3/s);
  expect(await json('processes', 'settings', 'limited')).toEqual({
    uniqueBusinessId: 'NONE',
    concurrentInstances: 1,
    whenFull: 'QUEUE',
    maxQueued: 3,
  });
  const second = (await perdure('start', 'limited')).out[0]!;
  expect((await perdure('waits', second)).out.join('\n')).toMatch(/begin +a place of its process/);
  expect(await json('show', second)).toMatchObject({ queued: true });
  expect(await as('editor', 'processes', 'configure', 'limited')).toMatchObject({ code: exitCodes.refused });
  expect(await perdure('processes', 'configure', 'limited', '--unique-business-id', 'SOMETIMES')).toMatchObject({
    code: exitCodes.wrongUse,
  });
  expect(await perdure('cancel', first)).toMatchObject({ code: 0 });
});

it('a message and a signal wake what waits for them', async () => {
  const [id, payment, opening] = [uniqueName('waiting'), uniqueName('payment'), uniqueName('opening')];
  const model = processModel(
    id,
    [startEvent('s'), catchEvent('paid', on.message(payment)), catchEvent('open', on.signal(opening)), endEvent('e')],
    ['s -> paid -> open -> e'],
    root.message(payment) + root.signal(opening),
  );
  expect(await perdure('deploy', write(`${id}.bpmn`, model))).toMatchObject({ code: 0, errors: [] });
  const instance = (await perdure('start', id)).out[0]!;
  expectDone(await perdure('message', payment, '--variables', '{"amount": 3}'), /^[0-9a-f-]{36}$/);
  expectDone(await perdure('signal', opening), /^[0-9a-f-]{36}$/);
  await vi.waitFor(async () => expect((await json('show', instance)).status).toBe('COMPLETED'), patiently);
});

it('a dry run of a migration lists every issue and changes nothing; the migration then follows the file', async () => {
  const id = uniqueName('order');
  const instance = await started(id, [serviceTask('work')]);
  await deploy(id, [serviceTask('labor')]);
  const wrong = write('wrong-plan.json', { targetVersion: 2 });
  for (const dryRun of [['--dry-run'], []]) {
    const refused = await perdure('migrate', instance, wrong, ...dryRun);
    expect(refused).toMatchObject({ code: exitCodes.refused, errors: [] });
    expect(refused.out.at(-1)).toMatch(/has 1 issue\. Nothing has changed\./);
  }
  const plan = write('plan.json', {
    targetVersion: 2,
    elementMappings: [{ sourceElementID: 'work', targetElementID: 'labor' }],
  });
  expectDone(await perdure('migrate', instance, plan, '--dry-run'), /is valid/);
  expect((await json('show', instance)).processVersion).toBe(1);
  expectDone(await perdure('migrate', instance, plan, '--reason', 'renamed'), /migrated to version 2/);
  expect((await json('show', instance)).activeScopes[0].activeNodes).toEqual({ labor: 1 });
});

it('a dry run of a modification names nodes that do not exist and tokens that are not there', async () => {
  const instance = await started(uniqueName('order'), [serviceTask('first'), serviceTask('second')]);
  const plan = (...instructions: object[]) => write('modification.json', { instructions });
  const wrong = plan({ type: 'START_BEFORE_NODE', nodeID: 'lost' }, { type: 'CANCEL_TOKEN', nodeID: 'second' });
  const refused = await perdure('modify', instance, wrong, '--dry-run');
  expect(refused).toMatchObject({ code: exitCodes.refused });
  expect(refused.out.slice(0, 2)).toEqual([
    '  Instruction 1 (START_BEFORE_NODE lost): the definition has no node "lost"',
    '  Instruction 2 (CANCEL_TOKEN second): the node has no token',
  ]);
  const right = plan({ type: 'CANCEL_TOKEN', nodeID: 'first' }, { type: 'START_BEFORE_NODE', nodeID: 'second' });
  expectDone(await perdure('modify', instance, right, '--dry-run'), /is valid/);
  expectDone(await perdure('modify', instance, right, '--reason', 'done by phone'), /modified$/);
  expect((await json('show', instance)).activeScopes[0].activeNodes).toEqual({ second: 1 });
});

it('an account without the right learns only that it may lack it', async () => {
  const instance = await started(uniqueName('order'), [serviceTask('work')]);
  for (const words of [
    ['cancel', instance],
    ['suspend', instance],
    ['variables', 'set', instance, '{"x": 1}'],
  ])
    expect(await as('viewer', ...words)).toEqual({
      code: exitCodes.refused,
      out: [],
      errors: [expect.stringMatching(/^The host returned 404 NOT_FOUND.*no access to it, or too low a role\.$/)],
    });
});

it('the command line deploys a file again when it changes, and continues after a mistake', async () => {
  const id = uniqueName('watched');
  const file = write(`${id}.bpmn`, sequenceModel(id, [serviceTask('work')]));
  const stop = new AbortController();
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const { run } = await import('../../packages/cli/run.js');
  const watching = run(['deploy', file, '--watch', '--json'], {
    environment: environment(),
    folder,
    write: note,
    complain: note,
    signal: stop.signal,
  });
  await vi.waitFor(async () => expect(lines.at(-1)).toContain('"version":1'), patiently);
  write(`${id}.bpmn`, sequenceModel(id, [scriptTask('sum', '=1 +', 'x')]));
  await vi.waitFor(async () => expect(lines.at(-2)).toContain('error at sum'), patiently);
  write(`${id}.bpmn`, sequenceModel(id, [serviceTask('other')]));
  await vi.waitFor(async () => expect(lines.at(-1)).toContain('"version":2'), patiently);
  stop.abort();
  expect(await watching).toBe(exitCodes.done);
});

it('limits of task types are put, listed, and removed', async () => {
  const taskType = uniqueName('limited');
  const limit = await json('limits', 'put', taskType, '--concurrent', '2', '--rate', '10/1m', '--reason', 'the bank');
  expect(limit).toMatchObject({ taskType, concurrent: 2, rate: { count: 10, per: 'PT1M' }, leased: 0, held: 0 });
  const { out } = await perdure('limits', 'list', '--page-size', '100');
  expect(out).toContainEqual(expect.stringMatching(new RegExp(`^${taskType} +2 +10 per PT1M +0 +0 `)));
  expectDone(await perdure('limits', 'delete', taskType), /has no limit$/);
  expect((await json('limits', 'list', '--page-size', '100')).data).not.toContainEqual(
    expect.objectContaining({ taskType }),
  );
  expect(await perdure('limits', 'put', taskType)).toMatchObject({ code: 2 });
  expect(await perdure('limits', 'put', taskType, '--rate', '10')).toMatchObject({ code: 2 });
});

it('instances of another system are imported from files, one line each, and once', async () => {
  await deploy('moved', [userTask('approve')]);
  const given = (id: string, nodeID = 'approve') => ({
    source: { system: 'old', id: `${host.api} ${id}` },
    processId: 'moved',
    variables: {},
    tokens: [{ nodeID }],
  });
  const file = write('moved.json', [given('1'), given('2'), given('3', 'nowhere')]);
  const rehearsed = await perdure('import', file, '--dry-run');
  expect(rehearsed.out.filter((line) => line.endsWith('can be imported'))).toHaveLength(2);
  const first = await perdure('import', file, '--reason', 'moved');
  expect(first.code).toBe(exitCodes.refused);
  expect(first.out.filter((line) => line.startsWith('old '))).toHaveLength(3);
  expect(first.out.join('\n')).toContain('tokens[0].nodeID');
  const again = await perdure('import', file);
  expect(again.out.filter((line) => line.endsWith('(imported before)'))).toHaveLength(2);
  const wrong = await perdure('import', write('none.json', '{}'));
  expect(wrong.code).toBe(exitCodes.wrongUse);
});

it('the command line shows the turns of an agent', async () => {
  const id = uniqueName('agent');
  const inputs = { url: 'https://models.example/v1', model: 'm', goal: 'Help' };
  const agent = adHocSubProcess('agent', [serviceTask('search')], [], { job: 'perdure:agent', inputs });
  const instance = await started(id, [agent]);
  const call = { id: 'call_1_1', elementId: 'search', arguments: { query: 'a' } };
  const unknown = { id: 'call_1_2', elementId: 'refund', problem: 'There is no tool of this name.' };
  await host.store.query(
    `INSERT INTO agent_turns (workflow_id, element, turn, node_id, job, answered_at, duration_ms, input_tokens, output_tokens, counted_tokens, model, text, calls)
     VALUES ($1, 5, 1, 'agent', 6, now(), 1200, 100, 10, 110, 'm', $2, $3::json)`,
    [instance, `${'I look it up. '.repeat(9)}\nLater.`, JSON.stringify([call, unknown])],
  );
  const said = await perdure('jobs', 'turns', instance, 'agent');
  expect(said.out[1]).toMatch(/^5 +1 +\S+ +100 in, 10 out +search, \(refund\) +I look it up\. .{46}\.\.\.$/);
  expect(said.out.slice(-2)).toEqual(['all turns: 100 in, 10 out, 1 turn without a cost', '1 turn, page 1 of 1']);
  expect((await json('jobs', 'turns', instance, 'agent')).data).toMatchObject([
    { turn: 1, toolCalls: [call, unknown] },
  ]);
  const price = { model: 'm', inputPerMillion: 2, outputPerMillion: 0.5, currency: 'EUR' };
  await host
    .client('admin')
    .PATCH('/projects/{projectID}/settings', { params: { path: { projectID } }, body: { agentPrices: [price] } });
  const priced = await perdure('jobs', 'turns', instance, 'agent');
  expect(priced.out[1]).toMatch(/ 100 in, 10 out +0\.000205 EUR +search, /);
  expect(priced.out.at(-2)).toBe('all turns: 100 in, 10 out, 0.000205 EUR');
  expect(await perdure('jobs', 'turns', instance, 'other')).toMatchObject({ code: exitCodes.refused });
});
