/**
 * A neighbor in its own project that asks for what hurts, all at once: one instance with very many results, the largest
 * and most costly bodies, models that take long to read, requests that wait, clients that do not read, a message name for
 * each instance, and error codes that no index has room for. It runs as its own process, so that it does not delay the
 * clocks of those who measure.
 *
 * Arguments: the base URLs of the APIs, and `NEIGHBOR_TOKENS`, the token endpoint.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { accessTokens } from '@perdure/client';
import {
  catchEvent,
  endEvent,
  multiInstance,
  on,
  processModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';

const RESULTS = 2_000;
const JOB_WORKERS = 8;
const WAITING_POLLS = 100;
const SLOW_READERS = 20;
const REQUESTS_PER_READER = 12;
const BODY_BYTES = 5 * 1024 * 1024;
const TASKS_OF_LARGE_MODEL = 4_000;

const apis = process.argv.slice(2);
const accessToken = accessTokens({
  tokenEndpoint: process.env['NEIGHBOR_TOKENS']!,
  clientID: 'system-admin',
  clientSecret: 'dev-system-admin',
});
/** Responses by status; 0 for none. */
const statuses = new Map<number, number>();
let calls = 0;

async function call(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const api = apis[(calls += 1) % apis.length]!;
  try {
    const headers = { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' };
    const response = await fetch(`${api}${path}`, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return { status: response.status, text };
  } catch {
    statuses.set(0, (statuses.get(0) ?? 0) + 1);
    await pause(1_000);
    return { status: 0, text: '' };
  }
}

async function json<T>(method: string, path: string, body: object): Promise<T | undefined> {
  const { status, text } = await call(method, path, JSON.stringify(body));
  return status >= 200 && status < 300 && text !== '' ? (JSON.parse(text) as T) : undefined;
}

async function deploy(project: string, id: string, xml: string): Promise<string> {
  const created = await json<{ id: string }>('POST', `${project}/resources`, { name: id, xml });
  await json('POST', `${project}/resources/${created!.id}/deploy`, {});
  const { text } = await call('GET', `${project}/resources/${created!.id}`);
  return (JSON.parse(text) as { processes: { id: string }[] }).processes[0]!.id;
}

/** Repeats `work` without end, however it ends, at most once in `everyMs`. */
async function repeat(everyMs: number, work: () => Promise<unknown>): Promise<void> {
  for (;;) await Promise.all([pause(everyMs), work().catch(() => undefined)]);
}

async function takeJobs(project: string, clientID: string): Promise<void> {
  const poll = { taskType: 'many', clientID, maxJobs: 20, timeout: 'PT5S' };
  const jobs = await json<{ executionKey: string; workflowID: string }[]>(
    'POST',
    `${project}/external-jobs/poll`,
    poll,
  );
  await Promise.all(
    (jobs ?? []).map(({ executionKey, workflowID }) =>
      json('POST', `${project}/external-jobs/${executionKey}/complete`, { workflowID, clientID }),
    ),
  );
}

/** Starts an instance with many results, and the next one when it has ended. */
async function manyResults(project: string, processDefinitionID: string): Promise<void> {
  const items = Array.from({ length: RESULTS }, (_, index) => index);
  const started = await json<{ workflowID: string }>('POST', `${project}/instances`, {
    processDefinitionID,
    variables: { items },
  });
  for (let isRunning = started !== undefined; isRunning;) {
    await pause(1_000);
    const { text } = await call('GET', `${project}/instances/${started!.workflowID}`);
    isRunning = text.includes('"RUNNING"');
  }
}

/** Sends requests, never reads, and begins again when the connection is ended. */
function readNothing(): Promise<void> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(apis[0]!);
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.pause();
      socket.write('GET /docs HTTP/1.1\r\nhost: neighbor\r\n\r\n'.repeat(REQUESTS_PER_READER));
    });
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
}

function modelOf(id: string, element: [id: string, xml: string], more?: string[]): string {
  const [inside, xml] = element;
  const flows = [`a: start -> ${inside}`, `b: ${inside} -> end`];
  return processModel(id, [startEvent('start'), xml, endEvent('end')], flows, more);
}

async function run(): Promise<void> {
  const { text } = await call('POST', '/projects', JSON.stringify({ name: `neighbor ${randomUUID()}` }));
  const project = `/projects/${(JSON.parse(text) as { id: string }).id}/bpmn`;
  const many = await deploy(
    project,
    'many',
    modelOf('many', ['work', serviceTask('work', { type: 'many', loop: multiInstance('=items') })]),
  );
  const waiting = await deploy(
    project,
    'waiting',
    modelOf(
      'waiting',
      ['wait', catchEvent('wait', on.message('answer'))],
      [
        '<bpmn:message id="answer" name="=&quot;answer-&quot; + key"><bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements></bpmn:message>',
      ],
    ),
  );
  const failing = await deploy(
    project,
    'failing',
    processModel(
      'failing',
      [startEvent('start'), endEvent('throw', on.error('anyCode'))],
      ['a: start -> throw'],
      ['<bpmn:error id="anyCode" errorCode="=code"/>'],
    ),
  );
  const costly = `{"variables":{"x":[${'1e1,'.repeat(BODY_BYTES / 4 - 20)}1]},"processDefinitionID":"${many}"}`;
  const tasks = Array.from({ length: TASKS_OF_LARGE_MODEL }, (_, index) => serviceTask(`t${index}`));
  const flows = tasks.map((_, index) => (index === 0 ? 'f0: start -> t0' : `f${index}: t${index - 1} -> t${index}`));
  const large = JSON.stringify({ xml: processModel('large', [startEvent('start'), ...tasks], flows) });
  const start = (processDefinitionID: string, variables: object) =>
    json('POST', `${project}/instances`, { processDefinitionID, variables });
  await Promise.all([
    ...Array.from({ length: JOB_WORKERS }, (_, index) => repeat(0, () => takeJobs(project, `neighbor-${index}`))),
    repeat(1_000, () => manyResults(project, many)),
    repeat(2_000, () => call('POST', `${project}/instances`, costly)),
    repeat(2_000, () => call('POST', `${project}/validate`, large)),
    repeat(2_000, () => call('POST', `${project}/convert`, large)),
    ...Array.from({ length: WAITING_POLLS }, (_, index) =>
      repeat(1_000, () =>
        json('POST', `${project}/external-jobs/poll`, {
          taskType: 'none',
          clientID: `idle-${index}`,
          timeout: 'PT30S',
        }),
      ),
    ),
    ...Array.from({ length: SLOW_READERS }, () => repeat(1_000, readNothing)),
    repeat(200, () => start(waiting, { key: randomUUID() })),
    repeat(500, () => start(failing, { code: randomBytes(4096).toString('hex') })),
  ]);
}

process.on('SIGTERM', () => {
  process.stdout.write(
    `The neighbor got ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}.\n`,
  );
  process.exit(0);
});
await run();
