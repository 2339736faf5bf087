/** A pause on real Temporal and Postgres: nothing moves, nothing is lost, and every event happens once and in order. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import { lockWithAncestors } from '../../store/instances/locks.js';
import { submitCommand } from '../../store/instances/submit-command.js';
import { publish } from '../../store/messages/messages.js';
import { waitIfPaused } from '../../store/steps/pause-waiters.js';
import { repositoryRoot } from '../../dev/repository.js';
import {
  endEvent,
  exclusiveGateway,
  extensions,
  parallelGateway,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { temporalAddress } from '../support/infrastructure.js';
import { jobsOfType } from './support/jobs.js';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

const message =
  '<bpmn:message id="m" name="paid"><bpmn:extensionElements><zeebe:subscription correlationKey="=order"/></bpmn:extensionElements></bpmn:message>';
/** Waits for a job, a message and a timer at once; each adds its letter to `log` when it has come. */
const threeWaits = processModel(
  'threeWaits',
  [
    startEvent('start'),
    parallelGateway('fork'),
    serviceTask('work'),
    '<bpmn:intermediateCatchEvent id="paid"><bpmn:messageEventDefinition messageRef="m"/></bpmn:intermediateCatchEvent>',
    '<bpmn:intermediateCatchEvent id="later"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">=wait</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>',
    scriptTask('logWork', '=log + "w"', 'log'),
    scriptTask('logPaid', '=log + "p"', 'log'),
    scriptTask('logLater', '=log + "t"', 'log'),
    parallelGateway('join'),
    endEvent('end'),
  ],
  [
    'a: start -> fork',
    'b: fork -> work',
    'c: fork -> paid',
    'd: fork -> later',
    'e: work -> logWork',
    'f: paid -> logPaid',
    'g: later -> logLater',
    'h: logWork -> join',
    'i: logPaid -> join',
    'j: logLater -> join',
    'k: join -> end',
  ],
  message,
);
const caller = processModel(
  'caller',
  [
    startEvent('start'),
    `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="jobLoop" propagateAllChildVariables="true"/>')}</bpmn:callActivity>`,
    serviceTask('after'),
    endEvent('end'),
  ],
  ['a: start -> call', 'b: call -> after', 'c: after -> end'],
);

const who = { projectID: project, actor: 'operator' };

function pausing(host: TemporalHost) {
  const definitionOf = async (workflowID: string) => (await host.row(workflowID)).definitionID;
  return {
    definitionOf,
    /** Everything that has happened since step `after`. */
    async factsSince(workflowID: string, after: number): Promise<Fact[]> {
      const { rows } = await host.store.query<{ facts: Fact[] }>(
        'SELECT facts FROM steps WHERE workflow_id = $1 AND number > $2 ORDER BY number',
        [workflowID, after],
      );
      return rows.flatMap(({ facts }) => facts);
    },
    async stepCount(workflowID: string): Promise<number> {
      const { rows } = await host.store.query<{ n: number }>(
        'SELECT step_count AS n FROM instances WHERE workflow_id = $1',
        [workflowID],
      );
      return rows[0]!.n;
    },
    /** Once the instance has run into its pause. */
    held: (workflowID: string) =>
      eventually(`${workflowID} to be held`, async () =>
        (await host.store.query('SELECT 1 FROM pause_waiters WHERE workflow_id = $1', [workflowID])).rowCount
          ? true
          : undefined,
      ),
    /** Once the instance has kept the command for later. */
    deferred: (workflowID: string, number: number) =>
      host.onceState(
        workflowID,
        `command ${number} to be kept`,
        ({ deferred }) => deferred?.some((kept) => kept.number === number) || undefined,
      ),
    /** Has the instance handle a command, if it still runs. */
    async touch(workflowID: string, touched: number): Promise<void> {
      const written = await submitCommand(host.store, {
        workflowID,
        projectID: project,
        awaited: false,
        body: { kind: 'SET_VARIABLES', variables: { touched } },
      });
      if (written.kind === 'refused') return;
      await host.instances.signal(workflowID, written.command);
      await host.outcome(workflowID, written.command.number);
    },
    suspend: async (workflowID: string) =>
      expect(await suspendInstance(host.store, { ...who, workflowID })).toEqual({ kind: 'done' }),
    resume: async (workflowID: string) =>
      expect(await resumeInstance(host.store, { ...who, workflowID })).toEqual({ kind: 'done' }),
    suspendAll: async (workflowID: string) =>
      expect(await suspendDefinition(host.store, { ...who, definitionID: await definitionOf(workflowID) })).toEqual({
        kind: 'done',
      }),
    resumeAll: async (workflowID: string) =>
      expect(await resumeDefinition(host.store, { ...who, definitionID: await definitionOf(workflowID) })).toEqual({
        kind: 'done',
      }),
  };
}

const moves = (facts: Fact[]) =>
  facts.filter(
    ({ kind }) =>
      !['COMMAND_DEFERRED', 'COMMAND_HANDLED', 'VARIABLES_SET', 'INSTANCE_ROTATED', 'STATE_MEASURED'].includes(kind),
  );

const BESIDE = ['one', 'two', 'three', 'four'];
/** Jobs, and a loop that waits for nothing until `stop`. */
const busyBesideJobs = processModel(
  'busyBesideJobs',
  [
    startEvent('start'),
    parallelGateway('fork'),
    ...BESIDE.map((job) => serviceTask(job)),
    scriptTask('count', '=x + 1', 'x'),
    exclusiveGateway('again', { default: 'repeat' }),
    endEvent('end'),
  ],
  [
    'a: start -> fork',
    ...BESIDE.flatMap((job) => [`to_${job}: fork -> ${job}`, `from_${job}: ${job} -> end`]),
    'd: fork -> count',
    'e: count -> again',
    'repeat: again -> count',
    'f: again -> end =stop',
  ],
);

describe('a pause', () => {
  let host: TemporalHost;
  let pause: ReturnType<typeof pausing>;
  beforeAll(async () => {
    host = await openTemporalHost();
    pause = pausing(host);
    await host.deploy(threeWaits);
    await host.deploy(jobLoop);
    await host.deploy(caller);
    await host.deploy(busyBesideJobs);
  });
  afterAll(() => host.close());

  test('keeps a message, a result and a timer in the order in which they come, and lets them happen when it ends', async () => {
    const id = await host.start('threeWaits', { order: 'o1', log: '', wait: 'PT2S' });
    const job = await host.wait(id, 'job', 'work');
    await host.wait(id, 'subscription', 'paid');
    await pause.suspend(id);
    const steps = await pause.stepCount(id);
    const { channel } = (await publish(host.store, {
      projectID: project,
      type: 'message',
      name: 'paid',
      correlation: 'o1',
      variables: {},
      publishedBy: 'shop',
    })) as { channel: string };
    expect(channel).toBeTypeOf('string');
    await pause.deferred(id, 1);
    await pause.held(id);
    const done = await host.write(id, { kind: 'COMPLETE_JOB', execution: job.id });
    await host.instances.signal(id, done);
    await pause.deferred(id, done.number);
    expect(moves(await pause.factsSince(id, steps))).toEqual([]);
    await pause.resume(id);
    expect(await host.ended(id)).toMatchObject({ status: 'COMPLETED' });
    expect(['pwt', 'ptw', 'tpw']).toContain((await host.state(id)).elements[1]!.variables!['log']);
    expect(await host.outcome(id, done.number)).toMatchObject({ status: 'APPLIED' });
  }, 60_000);

  test('ends although a worker that was cut off has tried the refused step again', async () => {
    const id = await host.start('busyBesideJobs', { x: 0, stop: false });
    await host.wait(id, 'job', 'one');
    await pause.suspend(id);
    await pause.held(id);
    await host.store.transaction(async (transaction) => {
      const { instance, ancestors } = (await lockWithAncestors(transaction, id))!;
      expect(await waitIfPaused(transaction, instance, ancestors)).toBeDefined();
    });
    const steps = await pause.stepCount(id);
    await pause.resume(id);
    await eventually('the loop to continue', async () => (await pause.stepCount(id)) > steps || undefined);
    await host.instances.signal(id, await host.write(id, { kind: 'CANCEL_INSTANCE' }));
    expect(await host.ended(id)).toMatchObject({ status: 'CANCELED' });
  }, 60_000);

  test('lets operators stop a loop that leaves no time for what was kept, however much that is', async () => {
    const id = await host.start('busyBesideJobs', { x: 0, stop: false });
    await host.wait(id, 'job', 'one');
    await pause.suspend(id);
    await pause.held(id);
    const jobs = Object.values((await host.state(id)).waits).filter(({ kind }) => kind === 'job');
    expect(jobs).toHaveLength(4);
    // Together they are more than a step has room for.
    const variables = { result: 'x'.repeat(400_000) };
    for (const { id: execution } of jobs) {
      const result = await host.write(id, { kind: 'COMPLETE_JOB', execution, variables });
      await host.instances.signal(id, result);
    }
    await pause.deferred(id, 4);
    const steps = await pause.stepCount(id);
    await pause.resume(id);
    await eventually('the end of the pause', async () =>
      (await pause.factsSince(id, steps)).some(({ kind }) => kind === 'PAUSE_ENDED') ? true : undefined,
    );
    expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { stop: true } })).toMatchObject({
      status: 'APPLIED',
    });
    expect(await host.ended(id)).toMatchObject({ status: 'COMPLETED' });
  }, 60_000);

  test('lets variables be set, an incident be resolved and the instance be canceled in the meantime', async () => {
    const id = await host.start('jobLoop', { rounds: 'none' });
    const job = await host.wait(id, 'job', 'work');
    await pause.suspend(id);
    const done = await host.write(id, { kind: 'COMPLETE_JOB', execution: job.id });
    await host.instances.signal(id, done);
    await pause.deferred(id, done.number);
    expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { rounds: 5 } })).toMatchObject({
      status: 'APPLIED',
    });
    expect((await host.state(id)).elements[1]!.variables).toMatchObject({ rounds: 5, done: 0 });
    expect(await host.command(id, { kind: 'CANCEL_INSTANCE' })).toMatchObject({ status: 'APPLIED' });
    expect(await host.outcome(id, done.number)).toMatchObject({ status: 'REJECTED', code: 'INSTANCE_ENDED' });
    expect(await host.row(id)).toMatchObject({ status: 'CANCELED' });
  }, 60_000);

  test('of a definition pauses instances that begin to move, and its end resumes all but those paused directly', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => host.start('jobLoop', { rounds: 1 })));
    const commands = await Promise.all(
      ids.map(async (id) =>
        host.write(id, { kind: 'COMPLETE_JOB', execution: (await host.wait(id, 'job', 'work')).id }),
      ),
    );
    const [individually] = ids;
    await pause.suspend(individually!);
    await pause.suspendAll(individually!);
    await Promise.all(ids.map((id, index) => host.instances.signal(id, commands[index]!)));
    await Promise.all(ids.map((id) => pause.deferred(id, 1)));
    expect(await Promise.all(ids.map(async (id) => (await host.row(id)).status))).toEqual(ids.map(() => 'RUNNING'));
    await pause.resumeAll(individually!);
    await Promise.all(ids.slice(1).map((id) => host.ended(id)));
    expect(await host.row(individually!)).toMatchObject({ status: 'RUNNING' });
    await pause.resume(individually!);
    await host.ended(individually!);
  }, 60_000);

  test('of a caller, by itself or by its definition, pauses the instance it called', async () => {
    for (const scope of ['instance', 'definition'] as const) {
      const id = await host.start('caller', { rounds: 1 });
      const child = ((await host.wait(id, 'child', 'call')) as { workflowID: string }).workflowID;
      const job = await host.wait(child, 'job', 'work');
      await (scope === 'instance' ? pause.suspend(id) : pause.suspendAll(id));
      const done = await host.write(child, { kind: 'COMPLETE_JOB', execution: job.id });
      await host.instances.signal(child, done);
      await pause.deferred(child, done.number);
      expect(await host.row(child)).toMatchObject({ status: 'RUNNING', parentSuspended: true });
      await (scope === 'instance' ? pause.resume(id) : pause.resumeAll(id));
      await host.ended(child);
      await host.completeJob(id, 'after');
      expect(await host.ended(id)).toMatchObject({ status: 'COMPLETED' });
    }
  }, 60_000);

  test('of a called definition lets the call wait, and of the caller alone keeps the result of what it called', async () => {
    const first = await host.start('jobLoop', { rounds: 1 });
    await pause.suspendAll(first);
    const id = await host.start('caller', { rounds: 1 });
    const child = ((await host.wait(id, 'child', 'call')) as { workflowID: string }).workflowID;
    await pause.held(child);
    expect(await pause.stepCount(child)).toBe(0);
    await pause.resumeAll(first);
    await host.completeJob(child, 'work');
    await host.wait(id, 'job', 'after');
    await host.completeJob(first, 'work');
  }, 60_000);

  test('that begins while many instances work at once stops each of them and loses no result', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => host.start('jobLoop', { rounds: 6 })));
    const ended = Promise.all(ids.map((id) => host.ended(id)));
    let working = true;
    ended.finally(() => (working = false)).catch(() => undefined);
    const workers = Array.from({ length: 3 }, async () => {
      while (working) for (const job of await jobsOfType(host, 'work')) await job.complete();
    });
    for (let round = 1; round <= 3; round += 1) {
      const [somebody] = ids;
      await eventually('work to continue', async () => ((await pause.stepCount(somebody!)) > round ? true : undefined));
      await pause.suspendAll(somebody!);
      // The step commit that is on its way when the pause begins comes before the one that handles this.
      await Promise.all(ids.map((id) => pause.touch(id, round)));
      const before = await Promise.all(ids.map((id) => pause.stepCount(id)));
      await Promise.all(ids.map((id) => pause.touch(id, -round)));
      const moved = await Promise.all(ids.map(async (id, index) => moves(await pause.factsSince(id, before[index]!))));
      expect(moved.flat()).toEqual([]);
      await pause.resumeAll(somebody!);
    }
    await ended;
    await Promise.all(workers);
    for (const id of ids) expect((await host.state(id)).elements[1]!.variables).toMatchObject({ done: 6 });
  }, 90_000);
});

describe('a pause with a worker that goes away and instances that rotate all the time', () => {
  let server: RotatingServer;
  let host: TemporalHost;
  let pause: ReturnType<typeof pausing>;
  beforeAll(async () => {
    server = await startRotatingServer(15);
    host = await openTemporalHost({ temporal: server.address });
    pause = pausing(host);
    await host.deploy(threeWaits);
  });
  afterAll(async () => {
    await host.close();
    await server.stop();
  });

  test('keeps deferred events', async () => {
    const id = await host.start('threeWaits', { order: 'o2', log: '', wait: 'PT1S' });
    const job = await host.wait(id, 'job', 'work');
    await pause.suspend(id);
    await pause.held(id);
    const done = await host.write(id, {
      kind: 'COMPLETE_JOB',
      execution: job.id,
      variables: { result: 'x'.repeat(80_000) },
    });
    await host.instances.signal(id, done);
    for (let index = 0; index < 12; index += 1)
      expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { index } })).toMatchObject({
        status: 'APPLIED',
      });
    expect(await host.rotations(id)).toBeGreaterThanOrEqual(1);
    await host.stopWorker();
    await publish(host.store, {
      projectID: project,
      type: 'message',
      name: 'paid',
      correlation: 'o2',
      variables: {},
      publishedBy: 'shop',
    });
    await host.startWorker();
    await pause.deferred(id, done.number);
    await host.stopWorker();
    await pause.resume(id);
    await host.startWorker();
    expect(await host.ended(id)).toMatchObject({ status: 'COMPLETED' });
    const { log, index, result } = (await host.state(id)).elements[1]!.variables!;
    expect({ log: [...String(log)].sort().join(''), index, result: String(result).length }).toEqual({
      log: 'ptw',
      index: 11,
      result: 80_000,
    });
    expect(String(log).indexOf('t')).toBeLessThan(String(log).indexOf('w'));
  }, 90_000);
});

describe('a pause while workers are killed', () => {
  let host: TemporalHost;
  let pause: ReturnType<typeof pausing>;
  let temporal: string;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    temporal = await temporalAddress();
    host = await openTemporalHost({ worker: false, outboxRelay: false, workflowTaskSeconds: 3 });
    pause = pausing(host);
    await host.deploy(jobLoop);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await host.close();
  });

  /** A worker with its outbox relay in its own process. */
  function startWorkerProcess(): ChildProcess {
    const child = spawn(process.execPath, [join(repositoryRoot, 'dist', 'host', 'main.js')], {
      stdio: 'ignore',
      env: {
        ...process.env,
        TZ: 'UTC',
        LC_ALL: 'C.UTF-8',
        PERDURE_ROLES: 'worker',
        DATABASE_URL: host.databaseUrl,
        TEMPORAL_ADDRESS: temporal,
        TEMPORAL_TASK_QUEUE: host.taskQueue,
      },
    });
    children.push(child);
    return child;
  }

  test('keeps every result, and wakes everyone once it is over', async () => {
    const first = startWorkerProcess();
    const ids = await Promise.all(Array.from({ length: 6 }, () => host.start('jobLoop', { rounds: 1 })));
    const commands = await Promise.all(
      ids.map(async (id) =>
        host.write(id, { kind: 'COMPLETE_JOB', execution: (await host.wait(id, 'job', 'work')).id }),
      ),
    );
    await pause.suspendAll(ids[0]!);
    await Promise.all(ids.map((id, index) => host.instances.signal(id, commands[index]!)));
    await pause.deferred(ids[0]!, 1);
    first.kill('SIGKILL');
    await host.forgetWorker(...ids);
    const second = startWorkerProcess();
    await Promise.all(ids.map((id) => pause.deferred(id, 1)));
    await pause.resumeAll(ids[0]!);
    second.kill('SIGKILL');
    await host.forgetWorker(...ids);
    startWorkerProcess();
    for (const id of ids) {
      expect(await host.ended(id)).toMatchObject({ status: 'COMPLETED' });
      expect((await pause.factsSince(id, 0)).filter(({ kind }) => kind === 'JOB_COMPLETED')).toHaveLength(1);
    }
  }, 120_000);
});
