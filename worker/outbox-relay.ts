/**
 * The outbox relay. Delivers messages and signals to their subscriptions, and sends to Temporal what is written but has
 * not arrived: starts of child instances, commands between instances, anything that its writer could not send, and
 * wake-ups after a pause. Sending twice is harmless, so several relays can run.
 */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { announce } from '../store/sql/announcements.js';
import { cancelWithoutWorkflow, failInstance } from '../store/steps/fail-instance.js';
import { deleteWokenWaiters, waitersToWake, type PauseWaiter } from '../store/steps/pause-waiters.js';
import { lingerAnnouncement } from '../store/steps/lingers.js';
import { migrationsToStart } from '../store/migration/instance-migrations.js';
import type { Notifications } from '../store/notifications.js';
import { channelsToMatch, matchChannel, type Channel } from '../store/messages/matching.js';
import {
  hasNoStep,
  markStarted,
  offerUnsentAgain,
  undeliveredCommands,
  unstartedInstances,
  type UndeliveredCommand,
} from '../store/instances/outbox.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { InstanceToStart } from '../workflows/messages.js';
import { startLoop, type BackgroundLoop } from './background-loop.js';
import { isRefusedForGood, type TemporalInstances } from '../temporal/instances.js';

export interface OutboxRelayOptions {
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

/** Runs until it is stopped; survives failures of Temporal and Postgres. */
export function startOutboxRelay(options: OutboxRelayOptions): BackgroundLoop {
  return startLoop((stopping) => run(options, stopping));
}

async function run(options: OutboxRelayOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const sent = await sendWhatIsDue(options);
      if (!sent) await options.notifications.waitForOutbox(PAUSE_AFTER_FAILURE_MS, stopping);
    } catch (error) {
      options.logger.warn({ error: errorMessage(error) }, 'outbox relay failed; retrying');
      await options.notifications.waitForOutbox(PAUSE_AFTER_FAILURE_MS, stopping);
    }
  }
}

/** @returns whether there was any work, in which case more may be pending */
async function sendWhatIsDue({ store, instances, logger }: OutboxRelayOptions): Promise<boolean> {
  const channels = await channelsToMatch(store, CHANNELS_AT_ONCE);
  const matched = await Promise.all(channels.map((channel) => matchIn(store, channel, logger)));
  const [starts, commands, held, migrations] = await Promise.all([
    unstartedInstances(store, STARTS_AT_ONCE),
    undeliveredCommands(store, COMMANDS_AT_ONCE),
    waitersToWake(store, WAKES_AT_ONCE),
    migrationsToStart(store, MIGRATIONS_AT_ONCE),
  ]);
  await Promise.all(migrations.map((migrationID) => sendMigration(instances, migrationID, logger)));
  await Promise.all(starts.map((instance) => sendStart(store, instances, instance, logger)));
  await Promise.all([
    ...byInstance(commands).map((ofOne) => sendInOrder(store, instances, ofOne)),
    notifyWaiters(store, instances, held),
  ]);
  return matched.includes(true) || starts.length > 0 || commands.length > 0 || held.length > 0;
}

async function notifyWaiters(store: Pool, instances: TemporalInstances, held: readonly PauseWaiter[]): Promise<void> {
  if (held.length === 0) return;
  await Promise.all(held.map(({ workflowID, refusal }) => instances.wake(workflowID, refusal)));
  await deleteWokenWaiters(store, held);
}

/** A failure in one channel must not block the other channels, starts, and commands. */
async function matchIn(store: Pool, channel: Channel, logger: Logger): Promise<boolean> {
  try {
    await matchChannel(store, channel, true);
    return true;
  } catch (error) {
    logger.warn(
      { projectID: channel.projectID, error: errorMessage(error) },
      'matching of messages or signals failed; retrying',
    );
    return false;
  }
}

/** One failing start, for example with a missing graph, must not block the others. */
async function sendStart(
  store: Pool,
  instances: TemporalInstances,
  instance: InstanceToStart,
  logger: Logger,
): Promise<void> {
  try {
    const isThere = await instances.start(instance);
    // A closed workflow of an instance without step commits is older than a restore of Postgres.
    if (!isThere && (await hasNoStep(store, instance.workflowID))) await instances.startAnew(instance);
    await markStarted(store, instance.workflowID);
  } catch (error) {
    if (
      isRefusedForGood(error) &&
      (await failInstance(store, instance.workflowID, `Temporal does not accept its workflow: ${errorMessage(error)}`))
    ) {
      logger.error(
        { workflowID: instance.workflowID, error: errorMessage(error) },
        'instance failed: Temporal does not accept its workflow',
      );
    } else {
      logger.warn(
        { workflowID: instance.workflowID, error: errorMessage(error) },
        'start of an instance failed; retrying',
      );
    }
  }
}

/** Retried in a minute, whatever the result. */
async function sendMigration(instances: TemporalInstances, migrationID: string, logger: Logger): Promise<void> {
  try {
    await instances.startMigration(migrationID);
  } catch (error) {
    logger.warn({ migrationID, error: errorMessage(error) }, 'start of an instance migration failed; retrying');
  }
}

/**
 * Commands that Temporal did not receive are due again soon, however old they are: nothing in the history of the
 * instance awaits them.
 */
async function sendInOrder(
  store: Pool,
  instances: TemporalInstances,
  commands: readonly UndeliveredCommand[],
): Promise<void> {
  for (const [index, { workflowID, number, kind, command, lingeringWorker }] of commands.entries()) {
    try {
      // Without an open workflow, only a cancel command can be applied. The reconciler finds out why the workflow is
      // missing.
      if (await instances.signal(workflowID, command ?? { number, reference: true, kind })) {
        if (lingeringWorker !== null) announce(store, [lingerAnnouncement(lingeringWorker, workflowID)]);
        continue;
      }
      await cancelWithoutWorkflow(store, workflowID);
      return;
    } catch (error) {
      await offerUnsentAgain(
        store,
        workflowID,
        commands.slice(index).map((unsent) => unsent.number),
      );
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
