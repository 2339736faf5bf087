/** Requests of a worker that polls with its reports, as a scripted host sees them. */
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { BpmnError, createClient, workOnJobs, type JobHandler } from '@perdure/client';
import { answerWith, serve, type Server } from './support/server.js';

interface Call {
  /** `poll`, `complete`, `error` or `heartbeat`. */
  action: string;
  job: string | undefined;
  body: { poll?: { taskType: string; maxJobs: number; lockDuration: string }; maxJobs?: number; lockDuration?: string };
}

let server: Server | undefined;
let stopping = new AbortController();
afterEach(async () => {
  stopping.abort();
  stopping = new AbortController();
  await server?.close();
});

/** A host whose answers `answer` gives; polls and reports that it leaves alone are answered from a queue of so many jobs, a poll for which there is none waits. */
async function play(
  count: number,
  answer: (call: Call, response: ServerResponse) => boolean = () => false,
): Promise<Call[]> {
  const queue = Array.from({ length: count }, (_, number) => ({
    executionKey: `i:${number}`,
    workflowID: 'i',
    taskType: 'work',
    status: 'PENDING',
    retries: 3,
    leaseToken: '1',
  }));
  const calls: Call[] = [];
  server = await serve((request, response) => {
    void json(request).then((body) => {
      const [, job, action] = /external-jobs\/(?:([^/]+)\/)?([a-z]+)$/.exec(request.url!)!;
      const call = { action: action!, job: job && decodeURIComponent(job), body: body as Call['body'] };
      calls.push(call);
      if (answer(call, response)) return;
      if (action === 'heartbeat') return answerWith(response, 200, { lockExpiresAt: new Date().toISOString() });
      const asked = action === 'poll' ? call.body.maxJobs! : (call.body.poll?.maxJobs ?? 0);
      const jobs = queue.splice(0, asked);
      if (action !== 'poll')
        return answerWith(response, 200, { commandID: 'c', status: 'APPLIED', ...(call.body.poll && { jobs }) });
      if (jobs.length > 0) answerWith(response, 200, jobs);
    });
  });
  return calls;
}

function work(handler: JobHandler, jobsAtOnce: number): Promise<void> {
  const client = createClient({ api: server!.url, accessToken: async () => 'token' });
  return workOnJobs(
    { client, projectID: 'demo', clientID: 'me', taskType: 'work', handler, jobsAtOnce, leaseMs: 60_000 },
    stopping.signal,
  );
}

const until = (isThere: () => void) => vi.waitFor(isThere, { timeout: 25_000 });
const of = (calls: readonly Call[], action: string) => calls.filter((call) => call.action === action);

it('a worker that is busy with all hands takes its next jobs with its reports, whatever they say', async () => {
  const calls = await play(12);
  const done: string[] = [];
  const ended = work(async ({ executionKey }) => {
    done.push(executionKey);
    if (executionKey.endsWith('3')) throw new BpmnError('E', 'no');
    if (executionKey.endsWith('4')) throw new Error('technical');
  }, 2);
  await until(() => expect(done).toHaveLength(12));
  // The last reports find no job, and a poll waits again.
  await until(() => expect(of(calls, 'poll')).toHaveLength(2));
  stopping.abort();
  await ended;
  expect(new Set(done).size).toBe(12);
  const asking = calls.filter(({ body }) => body.poll !== undefined);
  expect(asking.length).toBeGreaterThanOrEqual(11);
  for (const { body } of asking) expect(body.poll).toEqual({ taskType: 'work', maxJobs: 1, lockDuration: '60000ms' });
  expect(of(calls, 'error').map(({ job, body }) => [job, body.poll !== undefined])).toEqual(
    expect.arrayContaining([
      ['i:3', true],
      ['i:4', true],
    ]),
  );
});

it('a worker with a free hand has a poll waiting, and asks for nothing with its reports', async () => {
  const calls = await play(1);
  const ended = work(async () => undefined, 2);
  await until(() => expect(of(calls, 'complete')).toHaveLength(1));
  stopping.abort();
  await ended;
  expect(of(calls, 'complete')[0]!.body.poll).toBeUndefined();
});

it('a result that the host cannot store is reported as a failure, and the worker continues', async () => {
  const calls = await play(2, ({ action, job }, response) => {
    if (action !== 'complete' || job !== 'i:0') return false;
    answerWith(response, 400, { code: 'BAD_REQUEST', detail: 'The body cannot be stored.' });
    return true;
  });
  const ended = work(async () => ({ text: 'unacceptable' }), 1);
  await until(() => expect(of(calls, 'complete').some(({ job }) => job === 'i:1')).toBe(true));
  stopping.abort();
  await ended;
  expect(calls.map(({ action, job, body }) => [action, job, body.poll !== undefined]).slice(1, 4)).toEqual([
    ['complete', 'i:0', true],
    ['error', 'i:0', true],
    ['complete', 'i:1', true],
  ]);
});

it('told to stop, a worker gives back the job that comes with a report', async () => {
  const done: string[] = [];
  const calls = await play(2, ({ action }) => {
    // The answer, with the next job, is sent after this.
    if (action === 'complete') stopping.abort();
    return false;
  });
  await work(async ({ executionKey }) => void done.push(executionKey), 1);
  expect(done).toEqual(['i:0']);
  expect(of(calls, 'complete')).toHaveLength(1);
  expect(of(calls, 'heartbeat')).toMatchObject([
    { job: 'i:1', body: { lockDuration: '1000ms', clientID: 'me', leaseToken: '1' } },
  ]);
});

it('a job worker polls again after the delay that a host requests', async () => {
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  let polls = 0;
  const calls = await play(0, ({ action }, response) => {
    if (action !== 'poll' || (polls += 1) > 1) return false;
    response.writeHead(204, { 'Retry-After': '1' }).end();
    return true;
  });
  const working = work(async () => ({}), 1);
  await vi.waitFor(() => expect(pauses.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(1_000));
  expect(calls).toHaveLength(1);
  await vi.waitFor(() => expect(calls).toHaveLength(2), { timeout: 10_000 });
  stopping.abort();
  await working;
  pauses.mockRestore();
});
