import { Client, Connection, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { nextTick, parseCron } from '@perdure/engine/time/cron.js';
import { planStartTimer } from '@perdure/engine/time/start-timer.js';
import { derivedUUID } from '../../store/sql/ids.js';
import { createProject, deleteProject, ensureProject } from '../../store/projects/projects.js';
import { createResource, deleteResource, deployResource } from '../../store/definitions/resources.js';
import {
  markSent,
  startTimersToSend,
  tickStartTimer,
  type StartTimerAddress,
} from '../../store/messages/start-timers.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { startChores } from '../../background/driver.js';
import { scheduleSpecOf } from '../../worker/schedules/schedule-spec.js';
import { findMissingSchedules, scheduleID, sendTimers, schedules } from '../../worker/schedules/schedules.js';
import { endEvent, processModel, startEvent } from '@perdure/testkit/models';
import { START_BY_TIMER } from '../../workflows/messages.js';
import { finishDeletion } from '../support/deleted-projects.js';
import { eventually } from '../support/eventually.js';
import { temporalAddress, uniqueName } from '../support/infrastructure.js';
import { endpointOf, openTcpProxy } from './support/tcp-proxy.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

const logger = pino({ level: 'silent' });

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost({
    // Every tick is reported twice, as when a worker dies before it can acknowledge it.
    wrap: (activities) => ({
      ...activities,
      async startByTimer(tick) {
        await activities.startByTimer(tick);
        return activities.startByTimer(tick);
      },
    }),
  });
  await ensureProject(host.store, project);
});
afterAll(() => host.close());

const options = (client = host.client) => ({ store: host.store, client, taskQueue: host.taskQueue, logger });
const startSchedules = (settings: ReturnType<typeof options>) => startChores({ chores: schedules(settings), logger });

const timed = (timer: string) => `<bpmn:timerEventDefinition>${timer}</bpmn:timerEventDefinition>`;
const cycle = (text: string) => timed(`<bpmn:timeCycle>${text}</bpmn:timeCycle>`);
const date = (text: string) => timed(`<bpmn:timeDate>${text}</bpmn:timeDate>`);

/** Deploys a process that the timer starts; the resource and the address of its timer come back. */
async function deploy(
  processID: string,
  definition: string,
  projectID = project,
): Promise<{ resourceID: string; timer: StartTimerAddress }> {
  const xml = processModel(processID, [startEvent('tick', definition), endEvent('end')], ['a: tick -> end']);
  const { problems, processes } = await compile(xml);
  if (processes.length === 0) throw new Error(JSON.stringify(problems));
  const { resourceID } = await createResource(
    host.store,
    projectID,
    { name: 'test.bpmn', xml, definitionsID: processID },
    'editor',
  );
  await deployResource(host.store, { projectID, resourceID, xml, deployedBy: 'editor', processes });
  const { rows } = await host.store.query<{ id: string }>('SELECT id FROM definitions WHERE resource_id = $1', [
    resourceID,
  ]);
  return { resourceID, timer: { projectID, definitionID: rows[0]!.id, node: 'tick', trigger: 0 } };
}

async function startedBy({ definitionID }: StartTimerAddress): Promise<string[]> {
  const { rows } = await host.store.query<{ status: string }>('SELECT status FROM instances WHERE definition_id = $1', [
    definitionID,
  ]);
  return rows.map(({ status }) => status);
}

async function hasSchedule(timer: StartTimerAddress): Promise<boolean> {
  try {
    await host.client.schedule.getHandle(scheduleID(timer)).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

const row = async ({ definitionID }: StartTimerAddress) =>
  (
    await host.store.query('SELECT wanted, send_at, skipped_ticks FROM start_timers WHERE definition_id = $1', [
      definitionID,
    ])
  ).rows[0] as { wanted: boolean; send_at: Date | null; skipped_ticks: number } | undefined;

/** Sends until Temporal agrees with every timer. */
async function agreed(): Promise<void> {
  await eventually('Temporal to agree with the timers', async () => {
    await sendTimers(options());
    const { rows } = await host.store.query('SELECT 1 FROM start_timers WHERE send_at IS NOT NULL');
    return rows.length === 0 ? true : undefined;
  });
}

test('a repetition starts as many instances as it says, however often its ticks are reported', async () => {
  const { timer } = await deploy('threeTimes', cycle('R3/PT1S'));
  const loop = startSchedules(options());
  try {
    await eventually('three instances', async () =>
      (await startedBy(timer)).filter((status) => status === 'COMPLETED').length >= 3 ? true : undefined,
    );
    const { info } = await host.client.schedule.getHandle(scheduleID(timer)).describe();
    expect(info.nextActionTimes).toEqual([]);
    expect(await startedBy(timer)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  } finally {
    await loop.stop();
  }
}, 90_000);

test('a date that passes while Temporal is down starts one instance when it is back', async () => {
  const proxy = await openTcpProxy(endpointOf(await temporalAddress()));
  const connection = await Connection.connect({ address: proxy.address });
  proxy.cut();
  const due = new Date(Date.now() + 1500);
  const { timer } = await deploy('whileAway', date(due.toISOString()));
  const loop = startSchedules(options(new Client({ connection })));
  try {
    await eventually('the date to pass', async () => (Date.now() > due.getTime() + 2000 ? true : undefined));
    expect(await startedBy(timer)).toEqual([]);
    proxy.restore();
    await eventually('the instance', async () => ((await startedBy(timer))[0] === 'COMPLETED' ? true : undefined));
    expect(await startedBy(timer)).toEqual(['COMPLETED']);
  } finally {
    await loop.stop();
    await connection.close();
    await proxy.close();
  }
}, 90_000);

test('the timer of a newer version takes the place of the older one, and gives it back when it is deleted', async () => {
  const older = await deploy('replaced', cycle('R/PT1H'));
  await agreed();
  expect(await hasSchedule(older.timer)).toBe(true);
  const newer = await deploy('replaced', cycle('R/PT2H'));
  await agreed();
  expect([await hasSchedule(older.timer), await hasSchedule(newer.timer)]).toEqual([false, true]);
  await deleteResource(host.store, project, newer.resourceID);
  await agreed();
  expect([await hasSchedule(older.timer), await hasSchedule(newer.timer)]).toEqual([true, false]);
  expect([await row(older.timer), await row(newer.timer)]).toMatchObject([{ wanted: true }, undefined]);
}, 90_000);

test('a deleted project leaves no schedule', async () => {
  const projectID = uniqueName('project');
  await createProject(host.store, projectID, projectID);
  const { timer } = await deploy('goes', cycle('0 0 9 * * MON-FRI'), projectID);
  await agreed();
  expect(await hasSchedule(timer)).toBe(true);
  await deleteProject(host.store, projectID);
  await agreed();
  await finishDeletion(host.store, projectID);
  expect([await hasSchedule(timer), await row(timer)]).toEqual([false, undefined]);
}, 90_000);

test('a tick while the definition is suspended starts nothing, then or later, and is noted', async () => {
  const { timer } = await deploy('suspended', cycle('R/PT1H'));
  await host.store.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [timer.definitionID]);
  expect(await tickStartTimer(host.store, timer, 1_000)).toBe('skipped');
  await host.store.query('UPDATE definitions SET suspended_at = NULL WHERE id = $1', [timer.definitionID]);
  expect(await tickStartTimer(host.store, timer, 1_000)).toBe('skipped');
  expect(await tickStartTimer(host.store, timer, 2_000)).toBe('started');
  expect(await tickStartTimer(host.store, timer, 2_000)).toBe('startedBefore');
  expect((await row(timer))!.skipped_ticks).toBe(1);
  expect(await startedBy(timer)).toHaveLength(1);
});

test('a tick while the starts of the definition are suspended starts nothing, then or later, and is counted', async () => {
  const { timer } = await deploy('suspendedStarts', cycle('R/PT1H'));
  const request = { projectID: project, definitionID: timer.definitionID, actor: 'ada' };
  await suspendDefinition(host.store, { ...request, instances: false });
  expect(await tickStartTimer(host.store, timer, 1_000)).toBe('skipped');
  await resumeDefinition(host.store, request);
  expect(await tickStartTimer(host.store, timer, 1_000)).toBe('skipped');
  expect((await row(timer))!.skipped_ticks).toBe(1);
  expect(await startedBy(timer)).toEqual([]);
});

test('a schedule that was deleted in Temporal is created again', async () => {
  const { timer } = await deploy('lost', cycle('R/PT1H'));
  await agreed();
  await host.client.schedule.getHandle(scheduleID(timer)).delete();
  await findMissingSchedules(options(), timer);
  expect((await row(timer))!.send_at).toBeNull();
  await findMissingSchedules(options(), { ...timer, node: '' });
  await agreed();
  expect(await hasSchedule(timer)).toBe(true);
}, 90_000);

/** Deletes the workflows of all ticks from Temporal, as its own retention does. */
async function forgetTicks(timer: StartTimerAddress): Promise<void> {
  const query = `WorkflowType = '${START_BY_TIMER}' AND WorkflowId STARTS_WITH '${scheduleID(timer)}'`;
  const runs = async () => {
    const found: { workflowId: string; runId: string }[] = [];
    for await (const run of host.client.workflow.list({ query })) found.push(run);
    return found;
  };
  const found = await eventually('the workflows of the ticks', async () => {
    const ticks = await runs();
    return ticks.length > 0 ? ticks : undefined;
  });
  for (const { workflowId, runId } of found)
    await host.client.workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId, runId },
    });
  await eventually('Temporal to forget them', async () => {
    const known = await Promise.allSettled(
      found.map(({ workflowId }) => host.client.workflow.getHandle(workflowId).describe()),
    );
    return known.every(({ status }) => status === 'rejected') ? true : undefined;
  });
}

test('a schedule that is created again starts no instance for a tick whose instance was removed', async () => {
  const { timer } = await deploy('removed', cycle('R/P1D'));
  const hour = 3_600_000;
  const deployed = new Date(Math.floor(Date.now() / 1000) * 1000 - 25 * hour);
  const tomorrow = new Date(deployed.getTime() + 48 * hour);
  await host.store.query('UPDATE start_timers SET deployed_at = $2, wanted_at = $2 WHERE definition_id = $1', [
    timer.definitionID,
    deployed,
  ]);
  await agreed();
  await eventually('the tick of an hour ago', async () => (await startedBy(timer))[0] === 'COMPLETED' || undefined);
  await host.store.query('DELETE FROM instances WHERE definition_id = $1', [timer.definitionID]);
  const schedule = host.client.schedule.getHandle(scheduleID(timer));
  await schedule.delete();
  await forgetTicks(timer);
  await findMissingSchedules(options(), { ...timer, node: '' });
  await agreed();
  // Backfills are done in their order.
  const overlap = ScheduleOverlapPolicy.ALLOW_ALL;
  await schedule.backfill({ start: tomorrow, end: new Date(tomorrow.getTime() + hour), overlap });
  const { definitionID, node, trigger } = timer;
  const id = derivedUUID(definitionID, node, trigger, tomorrow.getTime());
  await eventually('the tick of tomorrow', async () => ((await host.row(id)) as object | undefined) && true);
  expect(await startedBy(timer)).toHaveLength(1);
}, 90_000);

test('a schedule without a timer starts nothing and is deleted after its first tick', async () => {
  const { timer, resourceID } = await deploy('leftOver', cycle('R/PT1S'));
  await agreed();
  // As after a restored backup: the rows know nothing of it.
  await deleteResource(host.store, project, resourceID);
  await host.store.query('DELETE FROM start_timers WHERE definition_id = $1', [timer.definitionID]);
  const loop = startSchedules(options());
  try {
    await eventually('the schedule to go', async () => ((await hasSchedule(timer)) ? undefined : true));
    expect(await startedBy(timer)).toEqual([]);
  } finally {
    await loop.stop();
  }
}, 90_000);

test('a tick that no schedule has started fails, because its number is unknown', async () => {
  const { timer } = await deploy('byHand', cycle('R/PT1H'));
  const workflowId = uniqueName('by-hand');
  const handle = await host.client.workflow.start('startByTimer', {
    workflowId,
    taskQueue: host.taskQueue,
    args: [timer],
  });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { message: `Workflow ${workflowId} was not started by a schedule. Trigger the schedule instead.` },
  });
  expect(await startedBy(timer)).toEqual([]);
}, 90_000);

test('a timer that changes while it is being sent to Temporal is sent again', async () => {
  // Timers that the test takes below are reserved for seconds.
  await agreed();
  const { timer } = await deploy('changing', cycle('R/PT1H'));
  const [taken] = (await startTimersToSend(host.store, 100)).filter(
    ({ definitionID }) => definitionID === timer.definitionID,
  );
  await deploy('changing', cycle('R/PT2H'));
  await markSent(host.store, taken!);
  expect(await row(timer)).toMatchObject({ wanted: false, send_at: expect.any(Date) as Date });
  await agreed();
  expect(await row(timer)).toMatchObject({ wanted: false, send_at: null });
}, 90_000);

/** The next times of a schedule as Temporal's own server counts them. */
async function nextTimes(text: string, type: 'date' | 'cycle'): Promise<string[]> {
  const planned = planStartTimer(type, text, Date.now());
  if (!planned.ok) throw new Error(planned.expected);
  const schedule = await host.client.schedule.create({
    scheduleId: uniqueName('next-times'),
    spec: scheduleSpecOf(planned.plan, Date.now()),
    action: { type: 'startWorkflow', workflowType: 'nothing', taskQueue: 'nobody' },
    state: { paused: true },
  });
  const { info } = await schedule.describe();
  await schedule.delete();
  return info.nextActionTimes.map((time) => time.toISOString());
}

test('Temporal ticks when the calendar says', async () => {
  expect(await nextTimes('2091-05-06T07:08:09+02:00', 'date')).toEqual(['2091-05-06T05:08:09.000Z']);
  expect(await nextTimes('R3/2091-05-06T07:08:09Z/P1D', 'cycle')).toEqual([
    '2091-05-06T07:08:09.000Z',
    '2091-05-07T07:08:09.000Z',
    '2091-05-08T07:08:09.000Z',
  ]);
  const lastDays = await nextTimes('R/2091-11-30T09:00:00Z/P1M', 'cycle');
  expect(lastDays.slice(0, 4).map((time) => time.slice(0, 10))).toEqual([
    '2091-11-30',
    '2091-12-30',
    '2092-01-30',
    '2092-02-29',
  ]);
  expect((await nextTimes('R4/2092-02-29T00:00:00Z/P1Y', 'cycle')).map((time) => time.slice(0, 10))).toEqual([
    '2092-02-29',
    '2093-02-28',
    '2094-02-28',
    '2095-02-28',
  ]);
  expect((await nextTimes('R3/2091-03-31T00:00:00Z/P2Y', 'cycle')).map((time) => time.slice(0, 4))).toEqual([
    '2091',
    '2093',
    '2095',
  ]);
  expect((await nextTimes('R3/2091-08-31T00:00:00Z/P6M', 'cycle')).map((time) => time.slice(0, 10))).toEqual([
    '2091-08-31',
    '2092-02-29',
    '2092-08-31',
  ]);
}, 60_000);

test('Temporal ticks on the clock of a zone, and on the day of the month of the start', async () => {
  expect(await nextTimes('R4/2027-03-27T02:30:00[Europe/Berlin]/P1D', 'cycle')).toEqual([
    '2027-03-27T01:30:00.000Z',
    '2027-03-28T01:30:00.000Z',
    '2027-03-29T00:30:00.000Z',
    '2027-03-30T00:30:00.000Z',
  ]);
  expect(await nextTimes('R3/2027-10-30T02:30:00@Europe/Berlin/P1D', 'cycle')).toEqual([
    '2027-10-30T00:30:00.000Z',
    '2027-10-31T00:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ]);
  expect(await nextTimes('R3/2091-01-31T23:30:00-05:00/P1M', 'cycle')).toEqual([
    '2091-02-01T04:30:00.000Z',
    '2091-03-01T04:30:00.000Z',
    '2091-04-01T04:30:00.000Z',
  ]);
  expect(await nextTimes('R3/2091-01-31T09:00:00Z/P5M', 'cycle')).toEqual([
    '2091-01-31T09:00:00.000Z',
    '2091-06-30T09:00:00.000Z',
    '2091-11-30T09:00:00.000Z',
  ]);
}, 60_000);

test('a schedule on the clock of a zone gets its next ticks before it runs out of them, and starts no instance twice', async () => {
  const start = new Date(Date.now() + 3_000).toISOString().slice(0, 19);
  const { timer } = await deploy('zoned', cycle(`R/${start}[Etc/UTC]/P1D`));
  const loop = startSchedules(options());
  try {
    await eventually('the first instance', async () => ((await startedBy(timer)).length > 0 ? true : undefined));
  } finally {
    await loop.stop();
  }
  const schedule = host.client.schedule.getHandle(scheduleID(timer));
  const { info, spec } = await schedule.describe();
  await schedule.update((found) => ({ ...found, spec: { calendars: spec.calendars!.slice(0, 5) } }));
  await findMissingSchedules(options(), { ...timer, node: '' });
  await agreed();
  expect((await schedule.describe()).info.nextActionTimes).toEqual(info.nextActionTimes);
  expect(await startedBy(timer)).toHaveLength(1);
}, 90_000);

test.each([
  '0 0 9 * * MON-FRI',
  '*/20 * * * * *',
  '0 0 0 13 * FRI',
  '0 0/15 8-10,22 ? * *',
  '0 0 0 29 FEB ?',
  '@weekly',
  '15 30 4 1,15 */3 7',
])(
  'Temporal ticks for the cron expression %s when we say',
  async (text) => {
    const cron = parseCron(text)!;
    const times = await nextTimes(text, 'cycle');
    let tick = Date.parse(times[0]!) - 1;
    expect(times.length).toBeGreaterThan(1);
    for (const time of times) {
      tick = nextTick(cron, tick)!;
      expect(new Date(tick).toISOString()).toBe(time);
    }
  },
  60_000,
);
