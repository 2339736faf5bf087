import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { run } from '../../packages/cli/run.js';
import { unwrap } from '@perdure/client';
import { compiledScript } from '../../dev/repository.js';
import { endEvent, scriptTask, sequenceModel, serviceTask, startEvent, subProcess } from '@perdure/testkit/models';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-cli-'));
let host: ClientHost;

beforeAll(async () => {
  host = await startClientHost();
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function environment(account = 'editor') {
  return {
    PERDURE_API: host.api,
    PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
    PERDURE_CLIENT_ID: account,
    PERDURE_CLIENT_SECRET: `dev-${account}`,
  };
}

interface Said {
  code: number;
  out: string[];
  errors: string[];
}

async function perdure(words: string[], variables: NodeJS.ProcessEnv = environment()): Promise<Said> {
  const [out, errors]: string[][] = [[], []];
  const code = await run(words, {
    environment: variables,
    folder,
    write: (line) => void out!.push(line),
    complain: (line) => void errors!.push(line),
    signal: new AbortController().signal,
  });
  return { code, out: out!, errors: errors! };
}

/** Deploys a process with its own name and one job. Returns its id and the type of the job. */
async function deployOne(): Promise<string> {
  const id = uniqueName('order');
  expect(
    await perdure(['deploy', write(`${id}.bpmn`, sequenceModel(id, [serviceTask('work', { type: id })]))]),
  ).toMatchObject({ code: 0, errors: [] });
  return id;
}

async function startOne(id: string, ...options: string[]): Promise<string> {
  const { code, out, errors } = await perdure(['start', id, ...options]);
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return out[0]!;
}

async function completeJob(taskType: string, variables: Record<string, unknown> = {}): Promise<void> {
  const executor = host.client('executor');
  const [job] = await unwrap(
    executor.POST('/projects/{projectID}/bpmn/external-jobs/poll', {
      params: { path: { projectID } },
      body: { taskType, clientID: 'test' },
    }),
  );
  const params = { path: { projectID, executionKey: job!.executionKey } };
  await unwrap(
    executor.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', {
      params,
      body: { workflowID: job!.workflowID, clientID: 'test', variables },
    }),
  );
}

it('the command line deploys processes and decisions, and says which versions they became', async () => {
  const id = uniqueName('order');
  const bpmn = write('order.bpmn', sequenceModel(id, [serviceTask('work')]));
  const dmn = write(
    'rate.dmn',
    `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="${id}-rates" name="rates" namespace="d"><decision id="rate" name="rate"><variable name="rate" /><literalExpression><text>1</text></literalExpression></decision></definitions>`,
  );
  const { code, out } = await perdure(['deploy', bpmn, dmn]);
  expect(code).toBe(0);
  expect(out).toEqual([
    expect.stringMatching(/^FILE +STATE +ID +VERSION$/),
    expect.stringMatching(new RegExp(`^order.bpmn +created +${id} +1$`)),
    expect.stringMatching(/^rate.dmn +created +[0-9a-f-]{36} +1$/),
    expect.stringMatching(/^2 files: 2 created, 0 unchanged in deployment [0-9a-f-]{36}$/),
  ]);
  const again = await perdure(['deploy', bpmn, '--json']);
  const processes = [{ processID: id, version: 1, definitionID: expect.any(String), state: 'UNCHANGED' }];
  expect(JSON.parse(again.out[0]!)).toMatchObject({ files: [{ name: 'order.bpmn', state: 'UNCHANGED', processes }] });
});

it('a model that is refused is reported with line and column, and leaves no draft behind', async () => {
  const file = write('broken.bpmn', sequenceModel(uniqueName('broken'), [scriptTask('sum', '=1 +', 'x')]));
  const { code, out, errors } = await perdure(['deploy', file]);
  expect({ code, out }).toEqual({ code: 1, out: [] });
  expect(errors).toEqual([
    expect.stringMatching(new RegExp(`^${file}:4:\\d+: error at sum: `)),
    'Nothing was deployed. Files with errors: 1 of 1',
  ]);
  const drafts = await unwrap(
    host
      .client('editor')
      .GET('/projects/{projectID}/bpmn/resources', { params: { path: { projectID }, query: { pageSize: 100 } } }),
  );
  expect(drafts.data.filter(({ name }) => name === 'broken.bpmn')).toEqual([]);
});

it('the command line starts an instance with variables from the command line or a file, lists it, and finds it by an expression', async () => {
  const id = await deployOne();
  const small = await startOne(id, '--variables', '{"total": 7}', '--business-id', `${id}-small`);
  const large = await startOne(id, '--variables', `@${write('large.json', '{"total": 7000}')}`);
  expect(await startOne(id, '--idempotency-key', `${id}-once`)).toBe(
    await startOne(id, '--idempotency-key', `${id}-once`),
  );

  const listed = await perdure(['list', '--process', id]);
  expect(listed.out.at(-1)).toBe('3 instances, page 1 of 1');
  const json = JSON.parse(
    (await perdure(['list', '--business-id', `${id}-small`, '--status', 'running', '--json'])).out[0]!,
  );
  expect(json.data.map(({ workflowID }: { workflowID: string }) => workflowID)).toEqual([small]);

  const found = await perdure(['search', id, 'total > 1000']);
  expect(found.out[1]).toContain(large);
  expect(found.out[1]).toContain('{"total":7000}');
  expect(found.out).toContain('1 found in 3 instances');
  expect(found.out.at(-1)).toMatch(/^The expression failed for 1 of them, first with: /);
  const all = JSON.parse((await perdure(['search', id, 'total > 0', '--limit', '1', '--json'])).out[0]!);
  expect(all).toMatchObject({ isComplete: false, matches: [{ workflowID: large }] });
});

it('the command line waits for the result of a start, which is the end or an incident', async () => {
  const id = uniqueName('divides');
  await perdure(['deploy', write('divides.bpmn', sequenceModel(id, [scriptTask('divide', '=1 / x', 'y')]))]);
  const done = await perdure(['start', id, '--variables', '{"x": 4}', '--wait']);
  expect(done).toMatchObject({ code: 0, out: [expect.any(String), 'COMPLETED', '{"x":4,"y":0.25}'] });
  const stopped = await perdure(['start', id, '--variables', '{"x": 0}', '--wait', '--json']);
  expect(stopped.code).toBe(1);
  expect(JSON.parse(stopped.out[0]!)).toMatchObject({ status: 'RUNNING', incidents: [{ nodeID: 'divide' }] });
});

it('an expression that is none is reported with its place', async () => {
  const { code, errors } = await perdure(['search', await deployOne(), 'total >']);
  expect({ code, errors }).toEqual({ code: 1, errors: [expect.stringMatching(/line 1, column \d/)] });
});

it('the command line follows the events of a project from a position, and says what is missing without a feed', async () => {
  const withoutFeed = await perdure(['events']);
  expect(withoutFeed).toMatchObject({ code: 1, errors: [expect.stringContaining('eventRetention')] });
  const admin = host.client('admin');
  const settings = (eventRetention: string | null) =>
    unwrap(
      admin.PATCH('/projects/{projectID}/settings', { params: { path: { projectID } }, body: { eventRetention } }),
    );
  await settings('P1D');
  const workflowID = await startOne(await deployOne());
  const lines: string[] = [];
  const stopping = new AbortController();
  const following = run(['events', '--after', '0', '--type', 'perdure.instance.started,perdure.instance.canceled'], {
    environment: environment(),
    folder,
    write: (line) => void lines.push(line),
    complain: (line) => void lines.push(line),
    signal: stopping.signal,
  });
  const seen = (what: string) =>
    vi.waitFor(() => expect(lines).toContainEqual(expect.stringMatching(`perdure.instance.${what}  ${workflowID}`)), {
      timeout: 20_000,
      interval: 50,
    });
  await seen('started');
  await perdure(['cancel', workflowID]);
  await seen('canceled');
  stopping.abort();
  expect(await following).toBe(0);
  await settings(null);
});

it('the command line watches an instance until it has ended', async () => {
  const id = await deployOne();
  const workflowID = await startOne(id);
  const lines: string[] = [];
  const watching = run(['watch', workflowID], {
    environment: environment(),
    folder,
    write: (line) => void lines.push(line),
    complain: (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  await vi.waitFor(() => expect(lines.at(-1)).toMatch(/ {2}work {2}serviceTask Started$/), {
    timeout: 20_000,
    interval: 50,
  });
  await completeJob(id);
  expect(await watching).toBe(0);
  expect(lines.map((line) => line.split('  ').slice(-2).join(' '))).toEqual([
    'start startEvent Started',
    'start startEvent Completed',
    'work serviceTask Started',
    'work serviceTask Completed',
    'end endEvent Started',
    'end endEvent Completed',
    'COMPLETED',
  ]);
});

it('the command line shows events in order of time, also those of a sub-process that began first and ended last', async () => {
  const id = uniqueName('nested');
  const elements = [startEvent('begin'), serviceTask('work', { type: id }), endEvent('finish')];
  await perdure([
    'deploy',
    write(`${id}.bpmn`, sequenceModel(id, [subProcess('nested', elements, 'begin -> work -> finish')])),
  ]);
  const workflowID = await startOne(id);
  await vi.waitFor(() => completeJob(id), { timeout: 20_000, interval: 50 });
  const { code, out } = await perdure(['watch', workflowID]);
  expect(code).toBe(0);
  const times = out.slice(0, -1).map((line) => line.split('  ')[0]!);
  expect(times).toHaveLength(12);
  expect(times).toEqual(times.toSorted());
});

it('the command line shows an incident, and ends with 1 for an instance that was canceled', async () => {
  const id = uniqueName('broken');
  await perdure(['deploy', write('divide.bpmn', sequenceModel(id, [scriptTask('divide', '=1 / x', 'y')]))]);
  const workflowID = await startOne(id, '--variables', '{"x": 0}');
  const lines: string[] = [];
  const watching = run(['watch', workflowID, '--json'], {
    environment: environment(),
    folder,
    write: (line) => void lines.push(line),
    complain: () => undefined,
    signal: new AbortController().signal,
  });
  await vi.waitFor(
    () =>
      expect(lines.map((line) => JSON.parse(line))).toContainEqual({
        time: expect.any(String),
        nodeID: 'divide',
        what: expect.stringMatching(/^incident FeelError: /),
      }),
    { timeout: 20_000, interval: 50 },
  );
  await unwrap(
    host
      .client('editor')
      .DELETE('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path: { projectID, workflowID } } }),
  );
  expect(await watching).toBe(1);
  expect(JSON.parse(lines.at(-1)!)).toEqual({ what: expect.stringMatching(/^CANCELED/) });
});

it('the command line replays an instance fact by fact, and as it was at one of them', async () => {
  const id = await deployOne();
  const workflowID = await startOne(id, '--variables', '{"total": 7}');
  await completeJob(id, { done: true });
  const { out, errors } = await perdure(['replay', workflowID]);
  expect(errors).toEqual([]);
  expect(out[0]).toMatch(/^ *1 {2}.* {2}INSTANCE_STARTED$/);
  expect(out.at(-1)).toMatch(/ {2}INSTANCE_COMPLETED/);
  const created = out.findIndex((line) => line.includes('JOB_CREATED')) + 1;
  const moment = await perdure(['replay', workflowID, '--at', String(created)]);
  expect(moment.out).toEqual([
    expect.stringMatching(`^After fact ${created} of ${out.length}: RUNNING, JOB_CREATED at work`),
    'Active:',
    '  work',
    'Variables: {"total":7}',
  ]);
});

it('the command line evaluates an expression over an instance, now and as of a fact', async () => {
  const id = await deployOne();
  const workflowID = await startOne(id, '--variables', '{"total": 7}');
  await completeJob(id, { done: true });
  expect(await perdure(['evaluate', workflowID, '=total > 5 and done'])).toEqual({
    code: 0,
    out: ['true'],
    errors: [],
  });
  expect(await perdure(['evaluate', workflowID, 'done', '--at', '2'])).toEqual({
    code: 1,
    out: [],
    errors: [expect.stringMatching(/^Line 1, column 1: .*done/)],
  });
});

it('lint tells every problem of a file with line and column, without a host', async () => {
  const good = write('good.bpmn', sequenceModel('good', [serviceTask('work')]));
  expect(await perdure(['lint', good], {})).toEqual({ code: 0, out: [`${good}: deploys good`], errors: [] });
  const wrong = write(
    'wrong.bpmn',
    sequenceModel('wrong', [scriptTask('sum', '=1 +', 'x'), scriptTask('more', '=2 *', 'y')]),
  );
  const { code, out } = await perdure(['lint', good, wrong], {});
  expect(code).toBe(1);
  expect(out).toEqual([
    `${good}: deploys good`,
    expect.stringMatching(new RegExp(`^${wrong}:4:1: error at sum: `)),
    expect.stringMatching(new RegExp(`^${wrong}:5:1: error at more: `)),
    `${wrong}: cannot be deployed`,
  ]);
  const torn = write(
    'torn.bpmn',
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">\n  <process></task>',
  );
  expect((await perdure(['lint', torn], {})).out).toEqual([
    expect.stringMatching(new RegExp(`^${torn}:2:\\d+: error: `)),
    `${torn}: cannot be deployed`,
  ]);
  const decisions = write(
    'wrong.dmn',
    '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="d">\n  <decision id="rate" name="rate">\n    <literalExpression id="logic"><text>1 +</text></literalExpression></decision>\n</definitions>',
  );
  expect(JSON.parse((await perdure(['lint', decisions, '--json'], {})).out[0]!)).toContainEqual({
    file: decisions,
    line: 3,
    column: 5,
    severity: 'error',
    elementID: 'logic',
    message: expect.any(String),
  });
});

it('lint checks the readable files even if another one cannot be read', async () => {
  const good = write('readable.bpmn', sequenceModel('readable', [serviceTask('work')]));
  expect(await perdure(['lint', '/nowhere.bpmn', good], {})).toEqual({
    code: 2,
    out: [`${good}: deploys readable`],
    errors: [expect.stringMatching(/^Cannot read \/nowhere\.bpmn: /)],
  });
});

it('lint accepts a byte order mark and names what a DMN file deploys', async () => {
  const decisions = write(
    'marked.dmn',
    '\uFEFF<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="rates" name="rates" namespace="d"><decision id="rate" name="rate"><literalExpression><text>1</text></literalExpression></decision></definitions>',
  );
  expect(await perdure(['lint', decisions], {})).toEqual({ code: 0, out: [`${decisions}: deploys rates`], errors: [] });
});

it.each<[string, string[], RegExp]>([
  [
    'an unknown command',
    ['destroy'],
    /^There is no command "destroy"\. The commands are dev, lint, test, backtest, convert, deploy, /,
  ],
  ['an unknown option', ['list', '--colour'], /Unknown option '--colour'[^]*\nUsage: perdure list/],
  ['too few operands', ['start'], /^perdure start takes PROCESS, but got 0 operands\nUsage: perdure start PROCESS/],
  ['too many operands', ['list', 'order'], /^perdure list takes no operands, but got 1 operand\n/],
  ['variables that are not an object', ['start', 'order', '--variables', '[1]'], /^--variables must be a JSON object/],
  ['a file that is not there', ['lint', '/nowhere.bpmn'], /^Cannot read \/nowhere\.bpmn: /],
  ['a status that is none', ['list', '--status', 'lost'], /^--status must be RUNNING, COMPLETED, /],
  ['a number that is none', ['list', '--page', '-1'], /--page/],
])('%s is wrong use, told in words', async (_what, words, message) => {
  const { code, out, errors } = await perdure(words, {});
  expect({ code, out }).toEqual({ code: 2, out: [] });
  expect(errors.join('\n')).toMatch(message);
});

it('the command line names the missing variables if there are no credentials', async () => {
  const { code, errors } = await perdure(['list'], {});
  expect({ code, errors }).toEqual({
    code: 2,
    errors: [
      expect.stringMatching(/^No credentials\. Set PERDURE_TOKEN to an access token, or PERDURE_TOKEN_ENDPOINT, /),
    ],
  });
});

it('a right that is missing, and a host that is not there, have their own exit codes', async () => {
  const denied = await perdure(['deploy', write('denied.bpmn', sequenceModel('denied', []))], environment('viewer'));
  expect(denied).toEqual({
    code: 1,
    out: [],
    errors: [
      expect.stringMatching(/^The host returned 404 NOT_FOUND.*this account has no access to it, or too low a role\.$/),
    ],
  });
  const token = { PERDURE_TOKEN: 'any' };
  expect(await perdure(['list'], { ...token, PERDURE_API: host.api })).toMatchObject({
    code: 1,
    errors: [expect.stringContaining('401 UNAUTHORIZED')],
  });
});

it('runs as a program, and Ctrl-C ends a watch without an error', async () => {
  const program = compiledScript('packages/cli/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'list', '--json'], {
    env: { ...process.env, ...environment() },
  });
  expect(JSON.parse(stdout)).toHaveProperty('pagination');
  const watching = spawn(process.execPath, [program, 'watch', await startOne(await deployOne())], {
    env: { ...process.env, ...environment() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => watching.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise((resolve) => watching.stdout.once('data', resolve));
  watching.kill('SIGINT');
  expect(await ended).toEqual({ code: 0, signal: null });
});
