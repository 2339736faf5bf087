/**
 * One instance under very many results at once: no workflow task is closed by force, commands of operators are
 * applied in time, and what Temporal has recorded replays, also when a host is killed.
 *
 * `npm run wedge` takes 20 rounds of each load. `WEDGE_ROUNDS`, `WEDGE_RESULTS`, `WEDGE_HOSTS`, and `WEDGE_KILLS` narrow it.
 */
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { endEvent, multiInstance, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { missesRemovedValue, runsOfInstance } from '../../host/admin/check-upgrade/removed-values.js';
import { temporalAddress, tokenFor } from '../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { openTemporalHost, type TemporalHost } from '../temporal/support/temporal-host.js';

const rounds = Number(process.env['WEDGE_ROUNDS'] || 1);
const chosen = (name: string, otherwise: string) => (process.env[name] || otherwise).split(',').map(Number);
const loads = chosen('WEDGE_RESULTS', '400').flatMap((results) =>
  chosen('WEDGE_HOSTS', '1').flatMap((hosts) => chosen('WEDGE_KILLS', '1').map((kills) => ({ results, hosts, kills }))),
);
/** A host that is killed keeps its workflow task for ten seconds. */
const MAX_COMMAND_MS = 2_000;
const JOB_WORKERS = 8;
vi.setConfig({ testTimeout: 15 * 60_000 });

let host: TemporalHost;
let definitionID: string;
let running: Api[] = [];

interface Api {
  process: HostProcess;
  url: string;
}

interface Job {
  executionKey: string;
  workflowID: string;
}

beforeAll(async () => {
  host = await openTemporalHost({ worker: false, outboxRelay: false });
  await host.deploy(
    processModel(
      'many',
      [startEvent('start'), serviceTask('work', { loop: multiInstance('=items') }), endEvent('end')],
      ['a: start -> work', 'b: work -> end'],
    ),
    'demo',
  );
  const { rows } = await host.store.query<{ id: string }>("SELECT id FROM definitions WHERE project_id = 'demo'");
  definitionID = rows[0]!.id;
});
afterEach(async () => {
  await Promise.all(running.map(({ process }) => kill(process)));
  running = [];
});
afterAll(() => host?.close());

async function startHost(): Promise<Api> {
  const process = await startHostProcess({
    DATABASE_URL: host.databaseUrl,
    TEMPORAL_ADDRESS: await temporalAddress(),
    TEMPORAL_TASK_QUEUE: host.taskQueue,
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
  });
  const { api } = await process.ready;
  const started = { process, url: `${api}/projects/demo/bpmn` };
  running.push(started);
  return started;
}

async function kill({ child, exited }: HostProcess): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

/** Kills one host, and starts another. */
async function replaceOne(): Promise<void> {
  const [killed] = running;
  running = running.slice(1);
  await kill(killed!.process);
  await startHost();
}

/** Calls one of the hosts after the other until one responds and has room. After a 429 it tries again. */
async function call(account: string, method: string, path: string, json: object): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const api = running[attempt % Math.max(running.length, 1)];
    const headers = { authorization: `Bearer ${await tokenFor(account)}`, 'content-type': 'application/json' };
    const response = await fetch(`${api?.url}${path}`, { method, headers, body: JSON.stringify(json) }).catch(
      () => undefined,
    );
    if (response && response.status < 500 && response.status !== 429) return response;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function completeJobs(clientID: string, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const polled = await call('executor', 'POST', '/external-jobs/poll', {
      taskType: 'work',
      clientID,
      maxJobs: 20,
      timeout: 'PT1S',
      // As long as a killed host keeps its workflow task.
      lockDuration: 'PT10S',
    });
    const jobs = polled.status === 200 ? ((await polled.json()) as Job[]) : [];
    await Promise.all(
      jobs.map(async ({ executionKey, workflowID }) => {
        const body = { workflowID, clientID, variables: { by: clientID } };
        const { status } = await call('executor', 'POST', `/external-jobs/${executionKey}/complete`, body);
        // 404 and 409: the lease has ended with the host that was killed, and another client has the job.
        expect([200, 202, 404, 409]).toContain(status);
      }),
    );
  }
}

/** Sets a variable again and again. @returns how long the slowest took to be applied, in milliseconds */
async function operate(workflowID: string, hasEnded: () => boolean): Promise<number> {
  let slowest = 0;
  for (let count = 1; !hasEnded(); count += 1) {
    const startedAt = performance.now();
    const { status } = await call('editor', 'PUT', `/instances/${workflowID}/variables`, { variables: { count } });
    if (status === 200) slowest = Math.max(slowest, performance.now() - startedAt);
    else if (status === 202) slowest = Infinity;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return slowest;
}

/** Every run of the instance, oldest first. */
async function histories(workflowID: string): Promise<temporal.api.history.v1.IHistory[]> {
  const found: temporal.api.history.v1.IHistory[] = [];
  let runID: string | undefined = (await host.client.workflow.getHandle(workflowID).describe()).runId;
  while (runID) {
    const history = await host.client.workflow.getHandle(workflowID, runID).fetchHistory();
    found.unshift(history);
    runID = history.events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId || undefined;
  }
  return found;
}

const { WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND: FORCE_CLOSE } = temporal.api.enums.v1.WorkflowTaskFailedCause;

function forcedCloses(history: temporal.api.history.v1.IHistory): number {
  return history.events!.filter(({ workflowTaskFailedEventAttributes: failed }) => failed?.cause === FORCE_CLOSE)
    .length;
}

async function playRound({ results, hosts, kills }: (typeof loads)[number]): Promise<void> {
  for (let count = 0; count < hosts; count += 1) await startHost();
  const items = Array.from({ length: results }, (_, index) => index);
  const started = await call('executor', 'POST', '/instances', {
    processDefinitionID: definitionID,
    variables: { items },
  });
  const { workflowID } = (await started.json()) as { workflowID: string };
  let isOver = false;
  const work = Array.from({ length: JOB_WORKERS }, (_, index) => completeJobs(`worker-${index}`, () => isOver));
  const slowest = operate(workflowID, () => isOver);
  for (let count = 1; count <= kills; count += 1) {
    await eventuallyCompleted(workflowID, (results * count) / (kills + 2));
    await replaceOne();
  }
  await eventuallyOver(workflowID, results);
  isOver = true;
  await Promise.all(work);
  const row = (await host.store.query('SELECT status FROM instances WHERE workflow_id = $1', [workflowID])).rows[0];
  expect(row).toEqual({ status: 'COMPLETED' });
  expect(await completed(workflowID)).toBe(results);
  const runs = await histories(workflowID);
  const events = runs.map(({ events: of }) => of!.length);
  const closed = runs.reduce((sum, run) => sum + forcedCloses(run), 0);
  console.log(
    `${results} results, ${hosts} hosts, ${kills} kills: events of runs ${events.join(' ')}, forced closes ${closed}, slowest command ${Math.round(await slowest)} ms`,
  );
  await replay(runs, workflowID);
  if (kills > 0) return;
  expect(closed, 'workflow tasks that were closed by force').toBe(0);
  expect(await slowest, 'milliseconds until a command of an operator was applied').toBeLessThan(MAX_COMMAND_MS);
}

async function replay(runs: temporal.api.history.v1.IHistory[], workflowID: string): Promise<void> {
  const seen = runsOfInstance(runs);
  for (const [index, run] of runs.entries())
    await Worker.runReplayHistory(
      { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
      run,
      workflowID,
    ).catch((error: Error) => {
      if (!missesRemovedValue(error, seen[index])) throw error;
    });
}

async function completed(workflowID: string): Promise<number> {
  const { rows } = await host.store.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM jobs WHERE workflow_id = $1 AND status = 'COMPLETED'",
    [workflowID],
  );
  return rows[0]!.count;
}

/** Fails if nothing moves for a minute. */
async function eventuallyCompleted(workflowID: string, results: number): Promise<void> {
  for (let before = -1; before < results;) {
    const last = before;
    before = await eventually(`more than ${last} results of ${results}`, async () => {
      const count = await completed(workflowID);
      return count > last || count >= results ? count : undefined;
    });
  }
}

async function eventuallyOver(workflowID: string, results: number): Promise<void> {
  await eventuallyCompleted(workflowID, results);
  await eventually('the end of the instance', async () => {
    const { rows } = await host.store.query("SELECT FROM instances WHERE workflow_id = $1 AND status <> 'RUNNING'", [
      workflowID,
    ]);
    return rows.length === 1 ? true : undefined;
  });
}

test.each(loads.flatMap((load) => Array.from({ length: rounds }, (_, index) => ({ ...load, round: index + 1 }))))(
  '$results results at once, $hosts hosts, $kills killed, round $round: the instance ends and replays',
  (load) => playRound(load),
);
