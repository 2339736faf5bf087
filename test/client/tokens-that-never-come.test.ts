/** A job worker and a command whose token endpoint begins its answers and never ends them. */
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accessTokens, createClient, LeaseLost, workOnJobs, type JobHandler } from '@perdure/client';
import { runWith } from '../cli/support/run.js';
import { answerWith, drip, serve, type Server } from './support/server.js';

let issuer: Server;
let host: Server;
let stopping: AbortController;
/** Actions at the host: `poll`, `heartbeat`, `complete`. */
let calls: string[];
let tokenRequests: number;

/** The first token lives one second. */
beforeEach(async () => {
  stopping = new AbortController();
  calls = [];
  tokenRequests = 0;
  issuer = await serve((_request, response) => {
    tokenRequests += 1;
    if (tokenRequests === 1) answerWith(response, 200, { access_token: 'token', expires_in: 1 });
    else drip(response);
  });
  host = await serve((request, response) => {
    void text(request).then(() => {
      const action = /[a-z]+$/.exec(request.url!)![0];
      calls.push(action);
      const job = { executionKey: 'i:1', workflowID: 'i', taskType: 'work', leaseToken: '1' };
      answerWith(response, 200, action === 'poll' ? [job] : {});
    });
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  stopping.abort();
  await Promise.all([issuer.close(), host.close()]);
});

function work(handler: JobHandler, leaseMs: number): { ended: Promise<void>; lines: string[] } {
  const lines: string[] = [];
  const accessToken = accessTokens({ tokenEndpoint: issuer.url, clientID: 'shop', clientSecret: 'secret' });
  const client = createClient({ api: host.url, accessToken });
  const ended = workOnJobs(
    {
      client,
      projectID: 'demo',
      clientID: 'me',
      taskType: 'work',
      handler,
      jobsAtOnce: 1,
      leaseMs,
      graceMs: 0,
      log: (line) => void lines.push(line),
    },
    stopping.signal,
  );
  return { ended, lines };
}

it('a handler learns that its lease is lost when no token comes for the heartbeats, and the worker ends when it is stopped', async () => {
  const lost = vi.fn();
  const { ended, lines } = work(
    (_job, signal) =>
      new Promise(() => signal.addEventListener('abort', () => lost(signal.reason as unknown), { once: true })),
    1_500,
  );
  await vi.waitFor(() => expect(lost).toHaveBeenCalledWith(expect.any(LeaseLost)), { timeout: 30_000 });
  expect(lines).toContainEqual(expect.stringContaining('the lease is lost'));
  stopping.abort();
  await ended;
});

it('a job that is not reported because no token comes does not keep a worker that is stopped', async () => {
  const setTimer = globalThis.setTimeout;
  const timers = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((act: () => void, milliseconds: number) =>
      setTimer(act, milliseconds === 5_000 ? 50 : milliseconds)) as typeof setTimeout);
  vi.useFakeTimers({ toFake: ['Date'] });
  // The first token expires while the handler works.
  const { ended, lines } = work(async () => void vi.setSystemTime(Date.now() + 2_000), 60_000);
  await vi.waitFor(() => expect(tokenRequests).toBe(2), { timeout: 30_000 });
  stopping.abort();
  await ended;
  expect(timers).toHaveBeenCalledWith(expect.any(Function), 5_000);
  expect(calls).toEqual(['poll']);
  expect(lines).toContainEqual(expect.stringContaining('cannot report the end (the job worker has stopped)'));
});

it('Ctrl-C ends a command that waits for its token', async () => {
  tokenRequests = 1;
  const environment = {
    PERDURE_API: host.url,
    PERDURE_TOKEN_ENDPOINT: issuer.url,
    PERDURE_CLIENT_ID: 'shop',
    PERDURE_CLIENT_SECRET: 'secret',
  };
  const command = runWith(['deploy', 'examples/order-fulfilment'], environment, process.cwd(), stopping.signal);
  await vi.waitFor(() => expect(tokenRequests).toBe(2), { timeout: 30_000 });
  stopping.abort();
  expect((await command).errors).toEqual([]);
  expect(calls).toEqual([]);
});
