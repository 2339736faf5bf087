import pg from 'pg';
import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { loadCommands } from '../../store/instances/commands.js';
import { jobsKey, pollsAnnouncements } from '../../store/sql/announcements.js';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { temporalAddress, tokenFor } from '../support/infrastructure.js';
import { withEarlySignals } from './support/early-signals.js';
import { startHost, type Host } from '../support/hosts/host.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { endpointOf, openTcpProxy, type TcpProxy } from './support/tcp-proxy.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

const JOBS = ['one', 'two', 'three'];
/** Of one worker when it is killed. `npm run faults` takes more. */
const instances = Number(process.env['PERDURE_FAULT_INSTANCES'] || 12);

let host: TemporalHost;
let proxy: TcpProxy;
let polling: NodeJS.Timeout;
let children: HostProcess[] = [];
let another: Host | undefined;

beforeAll(async () => {
  // The tests' own worker is started when the one in another process has died. Its outbox relay sends again what was not heard.
  host = await openTemporalHost({ worker: false, hot: true, workflowTaskSeconds: 5 });
  proxy = await openTcpProxy(endpointOf(await temporalAddress()));
  const flows = ['a: start -> one', 'b: one -> two', 'c: two -> three', 'd: three -> end'];
  const xml = processModel(
    'chain',
    [startEvent('start'), JOBS.map((name) => serviceTask(name)), endEvent('end')],
    flows,
  );
  await host.deploy(xml);
  await host.deploy(xml, 'demo');
  polling = setInterval(
    () =>
      host.store.announce(
        pollsAnnouncements(
          'another',
          JOBS.map((type) => jobsKey(project, type)),
        ),
      ),
    200,
  );
});
afterEach(async () => {
  for (const { child, exited } of children) {
    child.kill('SIGKILL');
    await exited;
  }
  children = [];
  await another?.stop();
  another = undefined;
  await host.stopWorker();
  proxy.restore();
});
afterAll(async () => {
  clearInterval(polling);
  await proxy.close();
  await host.close();
});

/** A worker in another process, which reaches Temporal through the proxy. */
async function startHotWorker(): Promise<HostProcess> {
  const worker = await startHostProcess({
    PERDURE_ROLES: 'worker',
    DATABASE_URL: host.databaseUrl,
    TEMPORAL_ADDRESS: proxy.address,
    TEMPORAL_TASK_QUEUE: host.taskQueue,
    HOT_INSTANCES_LINGER_MS: '2000',
  });
  children.push(worker);
  await worker.ready;
  return worker;
}

async function kill({ child, exited }: HostProcess): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

/** The instance, once the commit of its first step waits in the other process. */
async function startLingering(): Promise<string> {
  for (;;) {
    const id = await host.start('chain');
    await host.wait(id, 'job', 'one');
    if (await isLingering(id)) return id;
  }
}

async function isLingering(id: string): Promise<boolean> {
  const { rowCount } = await host.store.query(
    'SELECT FROM instances WHERE workflow_id = $1 AND lingering_until > now()',
    [id],
  );
  return rowCount === 1;
}

async function result(id: string, nodeID: string): Promise<CommandBody> {
  const { id: execution } = await host.wait(id, 'job', nodeID);
  return { kind: 'COMPLETE_JOB', execution, variables: { [nodeID]: 'done' } };
}

/** Every command in its order, each exactly once, and a history that replays. */
async function expectWhole(id: string): Promise<void> {
  await host.handle(id).result();
  const ended = await host.store.query<{ status: string }>('SELECT status FROM instances WHERE workflow_id = $1', [id]);
  expect(ended.rows).toEqual([{ status: 'COMPLETED' }]);
  expect((await host.state(id)).elements[1]!.variables).toEqual({ one: 'done', two: 'done', three: 'done' });
  const { rows } = await host.store.query<{ facts: { kind: string; number?: number }[] }>(
    'SELECT facts FROM steps WHERE workflow_id = $1 ORDER BY number',
    [id],
  );
  const handled = rows.flatMap(({ facts }) => facts).filter(({ kind }) => kind === 'COMMAND_HANDLED');
  expect(handled.map(({ number }) => number)).toEqual(handled.map((_, index) => index + 1));
  await host.replay(id);
}

async function completeTheRest(id: string, jobs: readonly string[]): Promise<void> {
  for (const job of jobs) expect((await host.command(id, await result(id, job))).status).toBe('APPLIED');
}

test('a worker killed between a commit and the result that it waits for: the result is sent again', async () => {
  const worker = await startHotWorker();
  const id = await startLingering();
  const body = await result(id, 'one');
  await kill(worker);
  const { command, delivery } = await host.submit(id, body);
  await host.deliver(id, command, delivery);
  await host.startWorker();
  expect((await host.outcome(id, command.number)).status).toBe('APPLIED');
  await completeTheRest(id, ['two', 'three']);
  await expectWhole(id);
}, 90_000);

test('a worker killed between the hand-over of a result and the next commit: the result is sent again', async () => {
  const worker = await startHotWorker();
  const id = await startLingering();
  const { command, delivery } = await host.submit(id, await result(id, 'one'));
  const blocker = new pg.Client({ connectionString: host.databaseUrl });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT 1 FROM instances WHERE workflow_id = $1 FOR UPDATE', [id]);
  await host.deliver(id, command, delivery);
  await eventually('the next commit', async () => {
    const { rowCount } = await host.store.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rowCount ? true : undefined;
  });
  await kill(worker);
  await blocker.query('ROLLBACK');
  await blocker.end();
  await host.startWorker();
  await completeTheRest(id, ['two', 'three']);
  await expectWhole(id);
}, 90_000);

test('a worker killed after commits whose workflow task has not completed: their commands are applied once, in their order', async () => {
  const worker = await startHotWorker();
  const id = await startLingering();
  proxy.cut();
  await completeTheRest(id, ['one', 'two']);
  const third = await result(id, 'three');
  await kill(worker);
  const { command, delivery } = await host.submit(id, third);
  await host.deliver(id, command, delivery);
  await host.startWorker();
  await expectWhole(id);
}, 90_000);

test('steps of a lost workflow task replay as well if their commands had been signaled in the meantime', async () => {
  const worker = await startHotWorker();
  const id = await startLingering();
  proxy.cut();
  await completeTheRest(id, ['one', 'two']);
  await kill(worker);
  await host.startWorker();
  await completeTheRest(id, ['three']);
  await expectWhole(id);
  const commands = await loadCommands(host.store, id, [1, 2, 3]);
  await host.replay(id, withEarlySignals(await host.handle(id).fetchHistory(), commands));
}, 90_000);

test('a command that is signaled between handed-over ones keeps its place when the worker dies', async () => {
  const worker = await startHotWorker();
  const id = await startLingering();
  await completeTheRest(id, ['one']);
  const between = await host.submit(id, { kind: 'SET_VARIABLES', variables: { between: true } });
  const second = await host.submit(id, await result(id, 'two'));
  await host.deliver(id, second.command, second.delivery);
  await kill(worker);
  await host.deliver(id, between.command, between.delivery);
  await host.startWorker();
  expect((await host.outcome(id, second.command.number)).status).toBe('APPLIED');
  await completeTheRest(id, ['three']);
  expect((await host.ended(id)).status).toBe('COMPLETED');
  expect((await host.state(id)).elements[1]!.variables).toEqual({
    one: 'done',
    two: 'done',
    three: 'done',
    between: true,
  });
}, 90_000);

test('Postgres that ends all connections while commits wait loses no result', async () => {
  await startHotWorker();
  const id = await startLingering();
  await host.store
    .query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    .catch(() => undefined);
  const submitted = await eventually('a connection', () =>
    host.submit(id, { kind: 'SET_VARIABLES', variables: {} }).catch(() => undefined),
  );
  await untilConnectionsLive();
  await host.deliver(id, submitted.command, submitted.delivery);
  await completeTheRest(id, JOBS);
  await expectWhole(id);
}, 90_000);

/** The pool learns only from its next use that Postgres has ended a connection. */
async function untilConnectionsLive(): Promise<void> {
  await eventually('connections that Postgres has not ended', async () => {
    const uses = Array.from({ length: host.store.maxConnections }, () => host.store.query('SELECT pg_sleep(0.1)'));
    const used = await Promise.allSettled(uses);
    return used.every(({ status }) => status === 'fulfilled') || undefined;
  });
}

interface Reported {
  status: number;
  body: { commandID: string; status: string; jobs: Job[] };
}

interface Job {
  executionKey: string;
  workflowID: string;
  nodeID: string;
}

const environmentOfHost = () => ({
  DATABASE_URL: host.databaseUrl,
  TEMPORAL_ADDRESS: proxy.address,
  TEMPORAL_TASK_QUEUE: host.taskQueue,
});

/** A host with all roles, whose API hands results to the commits of its worker. */
async function startHotHost(): Promise<{ process: HostProcess; call: Call }> {
  const process = await startHostProcess(environmentOfHost());
  children.push(process);
  const { api } = await process.ready;
  return { process, call: await callsOf(api!) };
}

type Call = (path: string, json: object) => Promise<Response>;

async function callsOf(api: string): Promise<Call> {
  const token = await tokenFor('executor');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (path, json) =>
    fetch(`${api}/projects/demo/bpmn${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
}

/**
 * Leases the first job of an instance whose commit waits. The commit of an instance that starts before the host has heard of
 * the poll, or that is slow, does not wait, and its job stays leased.
 */
async function startAndLease(call: Call): Promise<Job> {
  for (;;) {
    const polled = call('/external-jobs/poll', { taskType: 'one', clientID: 'client', timeout: '20s' });
    await host.start('chain', {}, { projectID: 'demo' });
    const [job] = (await (await polled).json()) as Job[];
    if (job && (await isLingering(job.workflowID))) return job;
  }
}

async function report(call: Call, job: Job, next?: string): Promise<Reported> {
  const response = await call(`/external-jobs/${job.executionKey}/complete`, {
    workflowID: job.workflowID,
    clientID: 'client',
    variables: { [job.nodeID]: 'done' },
    ...(next !== undefined && { poll: { taskType: next, timeout: '20s' } }),
  });
  return { status: response.status, body: (await response.json()) as Reported['body'] };
}

/** Completes the rest through another host, which also continues the instance. */
async function completeElsewhere(job: Job): Promise<void> {
  another = await startHost({ ...environmentOfHost(), LOG_LEVEL: 'error' });
  const call = await callsOf(another.api);
  let next = job;
  for (const following of JOBS.slice(JOBS.indexOf(job.nodeID) + 1)) {
    const { status, body } = await report(call, next, following);
    // 202 while Temporal waits for the workflow task of the killed host to time out.
    expect([200, 202]).toContain(status);
    expect(body.jobs).toEqual([expect.objectContaining({ nodeID: following })]);
    next = body.jobs[0]!;
  }
  expect((await report(call, next)).status).toBe(200);
  await expectWhole(job.workflowID);
  const { rows } = await host.store.query<{ number: number; status: string }>(
    'SELECT number, status FROM commands WHERE workflow_id = $1 ORDER BY number',
    [job.workflowID],
  );
  expect(rows).toEqual(JOBS.map((_, index) => ({ number: index + 1, status: 'APPLIED' })));
}

/** Runs `work` while the instance is locked. No commit that waits for the lock is written afterward. */
async function whileLocked(workflowID: string, work: () => Promise<void>): Promise<void> {
  const blocker = new pg.Client({ connectionString: host.databaseUrl });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT 1 FROM instances WHERE workflow_id = $1 FOR UPDATE', [workflowID]);
  await work();
  await host.store.query(`SELECT pg_terminate_backend(pid) FROM (${waitingCommits}) waiting`);
  await blocker.query('ROLLBACK');
  await blocker.end();
}

/** Backends whose commit of a step and a result waits for a lock. */
const waitingCommits =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%claimable%'";

test('a host killed before the commit that was to write a result: the client reports it again', async () => {
  const { process, call } = await startHotHost();
  const job = await startAndLease(call);
  await whileLocked(job.workflowID, async () => {
    const reported = report(call, job).catch((error: unknown) => error);
    await eventually('the commit that writes the result', async () => {
      const { rowCount } = await host.store.query(waitingCommits);
      return rowCount ? true : undefined;
    });
    await kill(process);
    expect(await reported).toBeInstanceOf(Error);
  });
  await completeElsewhere(job);
}, 90_000);

test('a host killed when a result without a row is already in the history: the next host writes it', async () => {
  const { process, call } = await startHotHost();
  const job = await startAndLease(call);
  await whileLocked(job.workflowID, async () => {
    const reported = report(call, job).catch((error: unknown) => error);
    await eventually('the renewal of the workflow task, which records the result', async () =>
      (await host.events(job.workflowID)).includes('Marker') ? true : undefined,
    );
    await kill(process);
    expect(await reported).toBeInstanceOf(Error);
  });
  await completeElsewhere(job);
}, 90_000);

test('a host killed after commits that wrote results, before their workflow task has completed: each is applied once', async () => {
  const { process, call } = await startHotHost();
  const job = await startAndLease(call);
  proxy.cut();
  const { status, body } = await report(call, job, 'two');
  expect(status).toBe(200);
  await kill(process);
  proxy.restore();
  await completeElsewhere(body.jobs[0]!);
}, 90_000);

test(
  'many instances whose worker is killed while their commits wait all continue',
  async () => {
    const worker = await startHotWorker();
    const ids = await Promise.all(Array.from({ length: instances }, () => host.start('chain')));
    for (const id of ids) await host.wait(id, 'job', 'one');
    await kill(worker);
    await host.startWorker();
    await Promise.all(ids.map((id) => completeTheRest(id, JOBS)));
    await Promise.all(ids.map((id) => host.ended(id)));
    for (const id of ids.slice(0, 3)) await expectWhole(id);
    const { rows } = await host.store.query<{ status: string; count: number }>(
      `SELECT i.status || ' with ' || (SELECT count(*) FROM jobs j WHERE j.workflow_id = i.workflow_id AND j.status = 'COMPLETED') || ' jobs' AS status, count(*)::integer AS count
     FROM instances i WHERE workflow_id = ANY($1::text[]) GROUP BY 1`,
      [ids],
    );
    expect(rows).toEqual([{ status: 'COMPLETED with 3 jobs', count: instances }]);
  },
  120_000 + instances * 3_000,
);
