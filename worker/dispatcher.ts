/**
 * Brings messages and signals to those who wait, and sends to Temporal what is written and has not arrived: starts of
 * called instances, commands that instances give to one another, whatever its writer could not send, and the news that a
 * pause has ended. Sending twice does no harm, so several dispatchers may run.
 */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { announce } from '../store/announcements.js';
import { cancelWithoutWorkflow, failInstance } from '../store/fail-instance.js';
import { forgetHeld, heldToWake, type HeldInstance } from '../store/held-instances.js';
import { lingerAnnouncement } from '../store/lingers.js';
import { migrationsToStart } from '../store/instance-migrations.js';
import type { Notifications } from '../store/notifications.js';
import { channelsToMatch, matchChannel, type Channel } from '../store/messages-matching.js';
import { hasNeverParked, markStarted, offerUnsentAgain, undeliveredCommands, unstartedInstances, type UndeliveredCommand } from '../store/outbox.js';
import { messageOf } from '../tracing/message-of.js';
import type { InstanceToStart } from '../workflows/messages.js';
import { keep, type Keeper } from './keeper.js';
import { isRefusedForGood, type TemporalInstances } from './temporal-instances.js';

export interface DispatcherOptions {
  store: Pool;
  notifications: Notifications;
  instances: TemporalInstances;
  logger: Logger;
}

const CHANNELS_AT_ONCE = 5;
const STARTS_AT_ONCE = 20;
const COMMANDS_AT_ONCE = 100;
const WAKES_AT_ONCE = 100;
const MIGRATIONS_AT_ONCE = 5;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Runs until it is stopped; it outlives failures of Temporal and Postgres. */
export function startDispatcher(options: DispatcherOptions): Keeper {
  return keep((stopping) => run(options, stopping));
}

async function run(options: DispatcherOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const sent = await sendWhatIsDue(options);
      if (!sent) await options.notifications.waitForOutbox(PAUSE_AFTER_FAILURE_MS, stopping);
    } catch (error) {
      options.logger.warn({ error: messageOf(error) }, 'what waits for Temporal could not be sent; trying again');
      await options.notifications.waitForOutbox(PAUSE_AFTER_FAILURE_MS, stopping);
    }
  }
}

/** @returns whether there was anything, in which case more may be waiting */
async function sendWhatIsDue({ store, instances, logger }: DispatcherOptions): Promise<boolean> {
  const channels = await channelsToMatch(store, CHANNELS_AT_ONCE);
  const matched = await Promise.all(channels.map((channel) => matchIn(store, channel, logger)));
  const [starts, commands, held, migrations] = await Promise.all([
    unstartedInstances(store, STARTS_AT_ONCE),
    undeliveredCommands(store, COMMANDS_AT_ONCE),
    heldToWake(store, WAKES_AT_ONCE),
    migrationsToStart(store, MIGRATIONS_AT_ONCE),
  ]);
  await Promise.all(migrations.map((migrationID) => sendMigration(instances, migrationID, logger)));
  await Promise.all(starts.map((instance) => sendStart(store, instances, instance, logger)));
  await Promise.all([...byInstance(commands).map((ofOne) => sendInOrder(store, instances, ofOne)), wakeHeld(store, instances, held)]);
  return matched.includes(true) || starts.length > 0 || commands.length > 0 || held.length > 0;
}

async function wakeHeld(store: Pool, instances: TemporalInstances, held: readonly HeldInstance[]): Promise<void> {
  if (held.length === 0) return;
  await Promise.all(held.map(({ workflowID }) => instances.wake(workflowID)));
  await forgetHeld(store, held);
}

/** What fails in one channel must not keep the others, nor starts and commands, from going on. */
async function matchIn(store: Pool, channel: Channel, logger: Logger): Promise<boolean> {
  try {
    await matchChannel(store, channel, true);
    return true;
  } catch (error) {
    logger.warn({ projectID: channel.projectID, error: messageOf(error) }, 'messages or signals could not be matched; trying again');
    return false;
  }
}

/** One start that fails, for instance for the lack of its graph, must not keep the others from being sent. */
async function sendStart(store: Pool, instances: TemporalInstances, instance: InstanceToStart, logger: Logger): Promise<void> {
  try {
    const isThere = await instances.start(instance);
    // A closed workflow of an instance without parks is from before a restore of Postgres.
    if (!isThere && (await hasNeverParked(store, instance.workflowID))) await instances.startAnew(instance);
    await markStarted(store, instance.workflowID);
  } catch (error) {
    if (isRefusedForGood(error) && (await failInstance(store, instance.workflowID, `Temporal does not take its workflow: ${messageOf(error)}`))) {
      logger.error({ workflowID: instance.workflowID, error: messageOf(error) }, 'an instance has failed: Temporal does not take its workflow');
    } else {
      logger.warn({ workflowID: instance.workflowID, error: messageOf(error) }, 'an instance could not be started; trying again');
    }
  }
}

/** Offered again in a minute, whatever comes of it. */
async function sendMigration(instances: TemporalInstances, migrationID: string, logger: Logger): Promise<void> {
  try {
    await instances.startMigration(migrationID);
  } catch (error) {
    logger.warn({ migrationID, error: messageOf(error) }, 'a migration of instances could not be started; trying again');
  }
}

/** What Temporal did not take is due again soon, however old it is: nothing waits in the instance's history for its answer. */
async function sendInOrder(store: Pool, instances: TemporalInstances, commands: readonly UndeliveredCommand[]): Promise<void> {
  for (const [index, { workflowID, number, kind, command, lingeringWorker }] of commands.entries()) {
    try {
      // Without an open workflow only a cancel can be applied. The reconciler finds out why the workflow is missing.
      if (await instances.signal(workflowID, command ?? { number, reference: true, kind })) {
        if (lingeringWorker !== null) announce(store, [lingerAnnouncement(lingeringWorker, workflowID)]);
        continue;
      }
      await cancelWithoutWorkflow(store, workflowID);
      return;
    } catch (error) {
      await offerUnsentAgain(store, workflowID, commands.slice(index).map((unsent) => unsent.number));
      throw error;
    }
  }
}

function byInstance(commands: readonly UndeliveredCommand[]): UndeliveredCommand[][] {
  const groups = new Map<string, UndeliveredCommand[]>();
  for (const command of commands) {
    const group = groups.get(command.workflowID);
    if (group) group.push(command);
    else groups.set(command.workflowID, [command]);
  }
  return [...groups.values()];
}
