import { randomBytes } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EncryptionCodec } from '../../temporal/codec.js';
import { readKeyRing } from '../../temporal/key-ring.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { jobLoop } from './support/models.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

const oneJob = processModel(
  'oneJob',
  [startEvent('start'), serviceTask('work'), endEvent('end')],
  ['a: start -> work', 'b: work -> end'],
);
/** Three bytes a character. */
const euros = (bytes: number) => '€'.repeat(bytes / 3);
const { HistoryEvent } = temporal.api.history.v1;

async function largestEvent(host: TemporalHost, id: string): Promise<number> {
  const { events } = await host.handle(id).fetchHistory();
  return Math.max(...(events ?? []).map((event) => HistoryEvent.encode(event).finish().length));
}

const key = `one=${randomBytes(32).toString('base64')}`;

describe.each([
  ['in clear', undefined],
  ['encrypted', key],
])('values larger than Temporal takes, %s', (_how, keys) => {
  let host: TemporalHost;
  beforeAll(async () => {
    host = await openTemporalHost(keys === undefined ? {} : { codecs: [new EncryptionCodec(readKeyRing(keys)!)] });
    await host.deploy(oneJob);
  });
  afterAll(() => host.close());

  test('a command of 3 MB reaches its instance, which can be canceled after it', async () => {
    const id = await host.start('oneJob');
    await host.wait(id, 'job', 'work');
    await host.command(id, { kind: 'SET_VARIABLES', variables: { load: euros(3_000_000) } });
    expect((await host.command(id, { kind: 'CANCEL_INSTANCE' })).status).toBe('APPLIED');
    await host.handle(id).result();
    expect(await largestEvent(host, id)).toBeLessThan(20_000);
    await host.replay(id);
  });

  test('an instance that begins with 3 MB starts, and can be canceled', async () => {
    const id = await host.start('oneJob', { load: euros(3_000_000) });
    expect((await host.command(id, { kind: 'CANCEL_INSTANCE' })).status).toBe('APPLIED');
    await host.handle(id).result();
    expect(await largestEvent(host, id)).toBeLessThan(20_000);
    await host.replay(id);
  });

  test('a value that one worker has kept is read by another one that begins from the history', async () => {
    const id = await host.start('oneJob');
    await host.wait(id, 'job', 'work');
    await host.command(id, { kind: 'SET_VARIABLES', variables: { load: euros(600_000) } });
    await host.stopWorker();
    await host.startWorker();
    await host.completeJob(id, 'work', { done: true });
    await host.handle(id).result();
    expect((await host.state(id)).elements[1]!.variables).toEqual({ load: euros(600_000), done: true });
  });
});

describe('many large commands with an outbox relay', () => {
  /** Of 300 KB each: together more than a request to Temporal may have. */
  const COMMANDS = 24;
  let host: TemporalHost;
  beforeAll(async () => {
    host = await openTemporalHost();
    await host.deploy(oneJob);
  });
  afterAll(() => host.close());

  test('commands that a pause has deferred are applied in steps of a bounded size, in order', async () => {
    const id = await host.start('oneJob');
    const { id: job } = await host.wait(id, 'job', 'work');
    const who = { projectID: project, workflowID: id, actor: 'operator' };
    await suspendInstance(host.store, who);
    // Only what ends executions waits for the end of a pause; the job has ended after the first, the rest is rejected.
    for (let index = 0; index < COMMANDS; index += 1) {
      await host.store.query(
        `WITH numbered AS (UPDATE instances SET command_count = command_count + 1 WHERE workflow_id = $1 RETURNING project_id, command_count)
         INSERT INTO commands (workflow_id, project_id, number, body, actor, awaited, deliver_at) SELECT $1, project_id, command_count, $2::json, 'tester', true, now() FROM numbered`,
        [
          id,
          JSON.stringify({
            kind: 'COMPLETE_JOB',
            execution: index === COMMANDS - 1 ? job : job + 1000,
            variables: { load: 'x'.repeat(300_000), index },
          }),
        ],
      );
    }
    await host.onceState(id, 'all of them to be kept', ({ deferred }) =>
      deferred?.length === COMMANDS ? true : undefined,
    );
    // The first one met the pause in the step that was to apply it; the others are not read before the end of the pause.
    expect(
      (await host.store.query('SELECT FROM stored_payloads WHERE workflow_id = $1', [id])).rows.length,
    ).toBeLessThanOrEqual(1);
    await resumeInstance(host.store, who);
    await host.ended(id);
    await host.handle(id).result();
    const { rows } = await host.store.query<{ handled: string }>(
      `SELECT (SELECT count(*) FROM json_array_elements(facts) f WHERE f ->> 'kind' = 'COMMAND_HANDLED') AS handled FROM steps WHERE workflow_id = $1 AND inputs ->> 'deferred' IS NOT NULL`,
      [id],
    );
    expect(Math.max(...rows.map(({ handled }) => Number(handled)))).toBeLessThanOrEqual(3);
    const { workflowExecutionInfo } = (await host.handle(id).describe()).raw;
    expect(Number(workflowExecutionInfo?.historySizeBytes)).toBeLessThan(500_000);
    await host.replay(id);
  });
});

describe('a state larger than the input of a workflow may be', () => {
  let server: RotatingServer;
  let host: TemporalHost;
  beforeAll(async () => {
    server = await startRotatingServer(20);
    host = await openTemporalHost({ temporal: server.address });
  });
  afterAll(async () => {
    await host.close();
    await server.stop();
  });

  test('continues in a new run, and what only earlier runs needed is removed', async () => {
    await host.deploy(jobLoop);
    const id = await host.start('jobLoop', { rounds: 12, load: euros(1_020_000) });
    await host.completeJob(id, 'work');
    for (let round = 1; round < 12; round += 1) await host.completeJob(id, 'work');
    await host.ended(id);
    await host.handle(id).result();
    expect(await host.rotations(id)).toBeGreaterThan(0);
    expect(await largestEvent(host, id)).toBeLessThan(20_000);
    await host.replay(id);
    const { rows } = await host.store.query('SELECT DISTINCT stored_by FROM stored_payloads WHERE workflow_id = $1', [
      id,
    ]);
    expect(rows.length).toBeLessThanOrEqual(3);
  }, 60_000);
});

describe('many large commands without an outbox relay', () => {
  let host: TemporalHost;
  beforeAll(async () => {
    // A relay sends commands again that a busy machine has not applied after five seconds. If one arrives during the last
    // workflow task, Temporal fails that task and repeats it.
    host = await openTemporalHost({ outboxRelay: false });
    await host.deploy(oneJob);
  });
  afterAll(() => host.close());

  test('those that arrive while no worker is there are read in workflow tasks that fit into a request to Temporal', async () => {
    const id = await host.start('oneJob');
    const { id: job } = await host.wait(id, 'job', 'work');
    await host.stopWorker();
    // Together more than the four megabytes of a request.
    for (let index = 0; index < 50; index += 1) {
      await host.instances.signal(
        id,
        await host.write(id, {
          kind: 'SET_VARIABLES',
          variables: { load: randomBytes(48_000).toString('hex'), index },
        }),
      );
    }
    await host.startWorker();
    await host.command(id, { kind: 'COMPLETE_JOB', execution: job });
    await host.handle(id).result();
    expect((await host.state(id)).elements[1]!.variables).toMatchObject({ index: 49 });
    const { events } = await host.handle(id).fetchHistory();
    expect(events!.filter(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes)).toEqual([]);
    await host.replay(id);
  });
});
