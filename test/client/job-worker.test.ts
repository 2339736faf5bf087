import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  accessTokens,
  unwrap,
  BpmnError,
  Decision,
  LeaseLost,
  workOnJobs,
  type Job,
  type JobHandler,
  type JobWorkerOptions,
  type PerdureClient,
} from '@perdure/client';
import {
  adHocSubProcess,
  boundaryEvent,
  endEvent,
  on,
  processModel,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { issuerTokenEndpoint } from '../support/infrastructure.js';
import { projectID, startClientHost, type ClientHost } from './support/host.js';
import { answerWith, serve, type Server } from './support/server.js';

// Most tests wait for a lease or a token to run out, each with jobs of its type.
vi.setConfig({ testTimeout: 90_000 });

let tokens: Server;
let host: ClientHost;
let executor: PerdureClient;

/** Tokens are good for three seconds and said to live one: everything here outlives some. */
beforeAll(async () => {
  tokens = await serveBriefTokens();
  host = await startClientHost({
    environment: { OIDC_MAX_TOKEN_AGE_SECONDS: '3', OIDC_CLOCK_TOLERANCE_SECONDS: '0' },
    tokenEndpoint: tokens.url,
    byCommand: true,
  });
  executor = host.client('executor');
});
afterAll(async () => {
  await host?.close();
  await tokens?.close();
});

interface Running {
  stop(): Promise<void>;
  lines: string[];
}

function work(taskType: string, handler: JobHandler, options: Partial<JobWorkerOptions> = {}): Running {
  const stopping = new AbortController();
  const lines: string[] = [];
  const ended = workOnJobs(
    {
      client: executor,
      projectID,
      clientID: randomUUID(),
      taskType,
      handler,
      log: (line) => void lines.push(line),
      ...options,
    },
    stopping.signal,
  );
  ended.catch(() => undefined);
  return {
    lines,
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

/** An instance of a process with one job, and the type of that job, which no other test uses. */
async function startOne(taskType = `work-${randomUUID()}`): Promise<{ workflowID: string; taskType: string }> {
  const definitionID = await host.deploy(sequenceModel(`p-${randomUUID()}`, [serviceTask('work', { type: taskType })]));
  return { workflowID: await host.start(definitionID), taskType };
}

async function untilEnded(workflowID: string): Promise<Record<string, unknown>> {
  return vi.waitFor(
    async () => {
      const state = await unwrap(
        executor.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID } },
        }),
      );
      expect(state.status).toBe('COMPLETED');
      return state.variables ?? {};
    },
    { timeout: 60_000, interval: 50 },
  );
}

async function jobOf(workflowID: string): Promise<Job> {
  const { data } = await unwrap(
    executor.GET('/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs', {
      params: { path: { projectID, workflowID } },
    }),
  );
  return data[0]!;
}

/** A promise and what settles it. */
function gate<T>(): { passed: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {};
  const passed = new Promise<T>((resolve) => (open = resolve));
  return { passed, open };
}

it.concurrent('a job worker returns a decision, which ends its ad-hoc sub-process with local variables', async () => {
  const taskType = `agent-${randomUUID()}`;
  const agent = adHocSubProcess('agent', [serviceTask('tool')], [], { job: taskType });
  const workflowID = await host.start(await host.deploy(sequenceModel(`p-${randomUUID()}`, [agent])));
  const seen: unknown[] = [];
  const worker = work(taskType, ({ variables }) => {
    seen.push(variables?.['adHocSubProcessElements']);
    return Promise.resolve(new Decision({ isCompletionConditionFulfilled: true }, { turns: 1 }));
  });
  expect(await untilEnded(workflowID)).toEqual({});
  expect(seen).toEqual([[{ elementId: 'tool' }]]);
  await worker.stop();
});

it.concurrent(
  'a job worker gives the variables of a handler to the instance, and limits its concurrent jobs',
  async () => {
    const taskType = `many-${randomUUID()}`;
    const definitionID = await host.deploy(
      sequenceModel(`p-${randomUUID()}`, [serviceTask('work', { type: taskType })]),
    );
    const started = await Promise.all(Array.from({ length: 7 }, (_, number) => host.start(definitionID, { number })));
    let now = 0;
    let most = 0;
    const worker = work(
      taskType,
      async ({ variables }) => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return { doubled: Number(variables?.['number']) * 2 };
      },
      { jobsAtOnce: 3 },
    );
    for (const [number, workflowID] of started.entries())
      expect(await untilEnded(workflowID)).toMatchObject({ number, doubled: number * 2 });
    expect(most).toBeLessThanOrEqual(3);
    await worker.stop();
  },
);

it.concurrent('a BPMN error takes the path of the model, with its variables; any other is tried again', async () => {
  const taskType = `errors-${randomUUID()}`;
  const caught = [
    startEvent('start'),
    serviceTask('work', { type: taskType, retries: 3 }),
    boundaryEvent('declined', 'work', on.error('Declined')),
    endEvent('end'),
    endEvent('refused'),
    sequenceFlow('f1', 'start', 'work'),
    sequenceFlow('f2', 'work', 'end'),
    sequenceFlow('f3', 'declined', 'refused'),
  ];
  const definitionID = await host.deploy(
    processModel(`p-${randomUUID()}`, [caught], [], '<bpmn:error id="Declined" errorCode="DECLINED" />'),
  );
  const attempts: string[] = [];
  const worker = work(taskType, async ({ variables }) => {
    const card = String(variables?.['card']);
    attempts.push(card);
    if (card === 'declined') throw new BpmnError('DECLINED', 'No money', { because: 'no money' });
    if (attempts.filter((one) => one === card).length < 3) throw new Error('The bank does not answer');
  });
  const declined = await host.start(definitionID, { card: 'declined' });
  const slow = await host.start(definitionID, { card: 'slow' });
  expect(await untilEnded(declined)).toMatchObject({ because: 'no money' });
  await untilEnded(slow);
  expect(attempts.filter((card) => card === 'slow')).toHaveLength(3);
  expect(attempts.filter((card) => card === 'declined')).toHaveLength(1);
  await worker.stop();
});

it.concurrent('a result that the host cannot store uses up an attempt instead of coming back forever', async () => {
  const { workflowID, taskType } = await startOne();
  const worker = work(taskType, async () => ({ text: 'a lone \ud800 surrogate' }));
  await vi.waitFor(
    async () =>
      expect(await jobOf(workflowID)).toMatchObject({
        status: 'FAILED',
        errorCode: 'TECHNICAL_ERROR',
        errorMessage: expect.stringContaining('400'),
      }),
    { timeout: 30_000, interval: 100 },
  );
  await worker.stop();
});

it.concurrent('a job worker keeps the lease of a job that takes longer than the lease lasts', async () => {
  const { workflowID, taskType } = await startOne();
  const worker = work(
    taskType,
    async () => {
      const first = Date.parse((await jobOf(workflowID)).lockExpiresAt!);
      // More than one lease later than at first: without heartbeats another worker would have it by then.
      await vi.waitFor(
        async () => expect(Date.parse((await jobOf(workflowID)).lockExpiresAt!)).toBeGreaterThan(first + 3000),
        { timeout: 30_000, interval: 100 },
      );
      return { done: true };
    },
    { leaseMs: 3000 },
  );
  expect(await untilEnded(workflowID)).toMatchObject({ done: true });
  // The instance may end before its worker gets the response to its report.
  await worker.stop();
  expect(worker.lines).toEqual([expect.stringContaining('completed')]);
});

it.concurrent('a handler whose lease is lost is aborted, and its result is dropped', async () => {
  const { workflowID, taskType } = await startOne();
  const [taken, told] = [gate<void>(), gate<unknown>()];
  const worker = work(
    taskType,
    async (_job, signal) => {
      signal.addEventListener('abort', () => told.open(signal.reason));
      taken.open();
      await told.passed;
      return { by: 'the first' };
    },
    { leaseMs: 1000, jobsAtOnce: 1 },
  );
  await taken.passed;
  await host.store.query(
    "UPDATE jobs SET locked_by = 'another', lock_expires_at = now() + interval '1 hour', available_at = now() + interval '1 hour' WHERE workflow_id = $1",
    [workflowID],
  );
  expect(await told.passed).toBeInstanceOf(LeaseLost);
  const { executionKey } = await jobOf(workflowID);
  await unwrap(
    executor.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', {
      params: { path: { projectID, executionKey } },
      body: { workflowID, clientID: 'another', variables: { by: 'another' } },
    }),
  );
  expect(await untilEnded(workflowID)).toEqual({ by: 'another' });
  await worker.stop();
  expect(worker.lines).toEqual([expect.stringContaining('the lease is lost')]);
});

/** A worker with a job of the type that it keeps until `finish` is called. */
async function holdOne(taskType: string) {
  const [taken, finish] = [gate<void>(), gate<void>()];
  const worker = work(taskType, async () => {
    taken.open();
    await finish.passed;
    return { finished: true };
  });
  await taken.passed;
  return { worker, finish: () => finish.open() };
}

it.concurrent('told to stop it takes no more jobs and finishes those it has', async () => {
  const { workflowID, taskType } = await startOne();
  const { worker, finish } = await holdOne(taskType);
  const stopped = worker.stop();
  finish();
  await stopped;
  expect(await untilEnded(workflowID)).toMatchObject({ finished: true });
});

it.concurrent('a job that is not finished in time is released to other workers and uses no attempt', async () => {
  const { workflowID, taskType } = await startOne();
  const taken = gate<void>();
  const worker = work(taskType, () => new Promise(() => taken.open()), { leaseMs: 3_600_000, graceMs: 0 });
  await taken.passed;
  await worker.stop();
  expect(worker.lines).toEqual([expect.stringContaining('given back')]);
  const next = work(taskType, async ({ retries }) => ({ retries }));
  expect(await untilEnded(workflowID)).toMatchObject({ retries: 3 });
  await next.stop();
});

it.concurrent('a job outlives the token that it was fetched with', async () => {
  const { workflowID, taskType } = await startOne();
  const account = { tokenEndpoint: host.tokenEndpoint, clientID: 'executor', clientSecret: 'dev-executor' };
  const first = await accessTokens(account)();
  const worker = work(taskType, async () => {
    await vi.waitFor(
      async () =>
        expect(
          (await fetch(`${host.api}/projects/${projectID}`, { headers: { Authorization: `Bearer ${first}` } })).status,
        ).toBe(401),
      { timeout: 30_000, interval: 100 },
    );
    return { outlived: true };
  });
  expect(await untilEnded(workflowID)).toMatchObject({ outlived: true });
  await worker.stop();
});

it.concurrent(
  'a job worker ends with the refusal if its account may not lease jobs, after its current jobs',
  async () => {
    const stopping = new AbortController();
    const refused = workOnJobs(
      { client: host.client('viewer'), projectID, clientID: 'viewer', taskType: 'any', handler: async () => undefined },
      stopping.signal,
    );
    await expect(refused).rejects.toMatchObject({ name: 'ApiError', status: 404 });
  },
);

// The only one that needs a host to itself.
it('a job continues while its host is killed and started again', async () => {
  const { workflowID, taskType } = await startOne();
  const { worker, finish } = await holdOne(taskType);
  await host.crash();
  finish();
  expect(await untilEnded(workflowID)).toMatchObject({ finished: true });
  // Polls continue as well.
  const next = await startOne(taskType);
  expect(await untilEnded(next.workflowID)).toMatchObject({ finished: true });
  await worker.stop();
});

/** The issuer's token endpoint, saying that each token lives one second. */
async function serveBriefTokens(): Promise<Server> {
  const issuer = await issuerTokenEndpoint();
  return serve((request, response) => {
    void text(request)
      .then((body) =>
        fetch(issuer, { method: 'POST', headers: { 'Content-Type': request.headers['content-type']! }, body }),
      )
      .then(async (answer) =>
        answerWith(response, answer.status, { ...((await answer.json()) as object), expires_in: 1 }),
      );
  });
}
