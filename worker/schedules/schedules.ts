/**
 * Keeps Temporal's schedules consistent with the start timers in Postgres: one schedule per wanted timer. Repeating a
 * change is harmless, so several workers can make it. Ticks between the deployment and its schedule are backfilled.
 */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleHandle,
  type ScheduleOptions,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { isOver, planStartTimer, type StartTimerPlan } from '@perdure/engine/time/start-timer.js';
import { derivedUUID } from '../../store/sql/ids.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import {
  markSent,
  sendAgain,
  sentStartTimers,
  startTimersToSend,
  type StartTimerAddress,
  type StartTimerToSend,
} from '../../store/messages/start-timers.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { START_BY_TIMER } from '../../workflows/messages.js';
import type { Chore } from '../../background/chore.js';
import { catchupWindowOf, needsTicks, scheduleSpecOf } from './schedule-spec.js';
import type { Database } from '../../store/sql/database.js';

export interface ScheduleLoopOptions {
  store: Database;
  client: Client;
  /** The task queue of the worker that runs the ticks. */
  taskQueue: string;
  logger: Logger;
}

const TIMERS_AT_ONCE = 10;
/** Schedules that were deleted in Temporal are searched for one page at a time. */
const LOOK_EVERY_MS = 60_000;
const TIMERS_PER_LOOK = 100;
const CALL_TIMEOUT_MS = 5_000;

/** Several processes can run them. */
export function schedules(options: ScheduleLoopOptions): Chore[] {
  const projects = firstTurn();
  let looked: StartTimerAddress | undefined;
  return [
    {
      name: 'start_timers',
      every: 1_000,
      prompt: true,
      run: async () => ((await sendTimers(options, projects)) ? 'more' : 'done'),
    },
    {
      name: 'missing_schedules',
      every: LOOK_EVERY_MS,
      after: LOOK_EVERY_MS,
      // Each schedule is a call of Temporal, which may respond slowly.
      prompt: true,
      async run() {
        looked = await findMissingSchedules(options, looked);
        return 'done';
      },
    },
  ];
}

/** @returns whether there may be more */
export async function sendTimers(options: ScheduleLoopOptions, projects = firstTurn()): Promise<boolean> {
  const timers = await startTimersToSend(options.store, TIMERS_AT_ONCE, projects);
  await Promise.all(timers.map((timer) => sendTimer(options, timer)));
  return timers.length > 0 || projects.after !== '';
}

/** One timer that Temporal refuses must not block the others. */
async function sendTimer(
  { store, client, taskQueue, logger }: ScheduleLoopOptions,
  timer: StartTimerToSend,
): Promise<void> {
  try {
    if (timer.wanted) await put(client, taskQueue, timer);
    else await remove(client, timer);
    await markSent(store, timer);
  } catch (error) {
    logger.warn(
      { definitionID: timer.definitionID, nodeID: timer.node, error: errorMessage(error) },
      'scheduling of a start timer failed; retrying',
    );
  }
}

/**
 * Creates schedules again that Temporal has lost, and extends those that run out of ticks in a named zone.
 * @param after where the previous page ended
 * @returns where this page ended; undefined after the last one
 */
export async function findMissingSchedules(
  { store, client, logger }: ScheduleLoopOptions,
  after: StartTimerAddress | undefined,
): Promise<StartTimerAddress | undefined> {
  const page = await sentStartTimers(store, after, TIMERS_PER_LOOK);
  for (const timer of page) {
    const plan = planOf(timer);
    if (!plan || isOver(plan, Date.now())) continue;
    const ahead = await ticksAhead(client, timer);
    if (ahead !== undefined && !needsTicks(plan, ahead, Date.now())) continue;
    if (ahead === undefined)
      logger.warn(
        { definitionID: timer.definitionID, nodeID: timer.node },
        'schedule of a start timer was missing in Temporal; created again',
      );
    await sendAgain(store, timer);
  }
  return page.length < TIMERS_PER_LOOK ? undefined : page.at(-1);
}

/** The number of ticks that Temporal shows, at most ten; undefined if the schedule does not exist. */
async function ticksAhead(client: Client, timer: StartTimerAddress): Promise<number | undefined> {
  try {
    const { info } = await inTime(client, () => scheduleOf(client, timer).describe());
    return info.nextActionTimes.length;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

async function put(client: Client, taskQueue: string, timer: StartTimerToSend): Promise<void> {
  const plan = planOf(timer);
  if (!plan || isOver(plan, timer.wantedAt.getTime())) return;
  const { scheduleId, ...options } = optionsOf(plan, taskQueue, timer);
  try {
    await inTime(client, () => client.schedule.create({ scheduleId, ...options }));
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await update(client, timer, options, plan);
  }
  await backfillMissedTicks(client, timer, plan);
}

/** Ticks in a named zone since the last one that the schedule had are backfilled, about once. */
async function update(
  client: Client,
  timer: StartTimerToSend,
  options: Omit<ScheduleOptions, 'scheduleId'>,
  plan: StartTimerPlan,
): Promise<void> {
  const schedule = scheduleOf(client, timer);
  let ended: Date | undefined;
  await inTime(client, () =>
    schedule.update((found) => {
      ended = found.spec.endAt;
      return { ...options, state: found.state };
    }),
  );
  const end = new Date();
  if (plan.kind !== 'zoned' || !ended || ended >= end) return;
  const start = new Date(Math.max(ended.getTime() + 1000, end.getTime() - catchupWindowOf(plan)));
  if (start < end)
    await inTime(client, () => schedule.backfill({ start, end, overlap: ScheduleOverlapPolicy.ALLOW_ALL }));
}

/**
 * Backfills ticks between the deployment and the creation of the schedule, when the schedule begins. Each tick starts
 * only one instance.
 */
async function backfillMissedTicks(client: Client, timer: StartTimerToSend, plan: StartTimerPlan): Promise<void> {
  const schedule = scheduleOf(client, timer);
  const { createdAt } = (await inTime(client, () => schedule.describe())).info;
  const start = new Date(Math.max(timer.wantedAt.getTime(), createdAt.getTime() - catchupWindowOf(plan)));
  if (start < createdAt)
    await inTime(client, () => schedule.backfill({ start, end: createdAt, overlap: ScheduleOverlapPolicy.ALLOW_ALL }));
}

async function remove(client: Client, timer: StartTimerToSend): Promise<void> {
  try {
    await inTime(client, () => scheduleOf(client, timer).delete());
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

function optionsOf(plan: StartTimerPlan, taskQueue: string, timer: StartTimerToSend): ScheduleOptions {
  const { projectID, definitionID, node, trigger } = timer;
  const address: StartTimerAddress = { projectID, definitionID, node, trigger };
  const scheduleId = scheduleID(timer);
  return {
    scheduleId,
    spec: scheduleSpecOf(plan, Date.now()),
    // Temporal appends the time of the tick to the id.
    action: { type: 'startWorkflow', workflowType: START_BY_TIMER, workflowId: scheduleId, taskQueue, args: [address] },
    policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: catchupWindowOf(plan) },
    state: { note: `Starts definition ${definitionID} at ${node}: ${timer.timer}`.slice(0, MAX_NOTE_LENGTH) },
    memo: { projectID, definitionID, nodeID: node },
  };
}

const MAX_NOTE_LENGTH = 400;

function planOf({ type, timer, deployedAt }: StartTimerToSend): StartTimerPlan | undefined {
  const planned = planStartTimer(type, timer, deployedAt.getTime());
  return planned.ok ? planned.plan : undefined;
}

function scheduleOf(client: Client, timer: StartTimerAddress): ScheduleHandle {
  return client.schedule.getHandle(scheduleID(timer));
}

/** An id by which an operator can find the schedule in Temporal; node ids can exceed Temporal's limit. */
export function scheduleID({ definitionID, node, trigger }: StartTimerAddress): string {
  return `start-timer-${derivedUUID(definitionID, node, trigger)}`;
}

function inTime<T>(client: Client, work: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);
}
