/**
 * The outbox relay. Delivers messages and signals to their subscriptions, gives free places to queued instances, and sends
 * to Temporal what is written but has not arrived: starts of child instances, commands between instances, anything that
 * its writer could not send, and wake-ups after a pause. Sending twice is harmless, so several relays can run. Each run
 * serves the next projects that have something due, with an equal share each.
 */
import type { Logger } from 'pino';
import { cancelWithoutWorkflow, failInstance } from '../store/steps/fail-instance.js';
import { deleteWokenWaiters, waitersToWake, type PauseWaiter } from '../store/steps/pause-waiters.js';
import { lingerAnnouncement } from '../store/hot-instances/linger-mark.js';
import type { Notifications } from '../store/notifications.js';
import type { Channel } from '../store/messages/correlation.js';
import { channelsToMatch, clearEmptyChannels, matchChannel } from '../store/messages/matching.js';
import {
  hasNoStep,
  markStarted,
  offerEarlyCommands,
  offerUnsentAgain,
  undeliveredCommands,
  unstartedInstances,
  type UndeliveredCommand,
} from '../store/instances/outbox.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { InstanceToStart } from '../store/instances/start.js';
import { readInstanceSnapshot } from '../store/steps/instance-snapshot.js';
import { beginQueued, dueGroups, offerAgain, overflowedProcesses } from '../store/processes/queue.js';
import { firstTurn, PROJECTS_AT_ONCE, type ProjectTurn } from '../store/turns/project-turns.js';
import type { Chore } from '../background/chore.js';
import { startChores, type RunningChores } from '../background/driver.js';
import { settleAll } from '../background/settle-all.js';
import { isRefusedForGood, type TemporalInstances } from '../temporal/instances.js';
import { outboxAnnouncements, type OutboxSort } from '../store/sql/announcements.js';
import type { Database } from '../store/sql/database.js';
import type { CarriedInstance } from '../workflows/messages.js';

export interface OutboxRelayOptions {
  store: Database;
  notifications: Notifications;
  instances: TemporalInstances;
  logger: Logger;
}

/** Per run, of up to 20 projects. */
const CHANNELS_LOOKED_AT = 200;
/** Of the channels that buffer messages, per run. */
const CHANNELS_MATCHED = 20;
/** Each takes a connection. */
const CHANNELS_AT_ONCE = 5;
const STARTS_AT_ONCE = 20;
/** Groups of queued instances. */
const GROUPS_AT_ONCE = 100;
/** Processes whose queue has room again. */
const OVERFLOWED_AT_ONCE = 20;
const COMMANDS_AT_ONCE = 100;
const WAKES_AT_ONCE = 100;
const PAUSE_MS = 1_000;
/** Before the next look for a channel that another process matches; doubles each time. */
const PAUSE_IF_BUSY_MS = 10;

/** `busy`: what is left is locked by something else, such as channels that another process matches. */
type Sent = 'done' | 'more' | 'busy';

/** Runs the chores of the relay, and nothing else, until it is stopped. */
export function startOutboxRelay(options: OutboxRelayOptions): RunningChores {
  return startChores({ chores: outboxRelay(options), logger: options.logger });
}

/**
 * One chore for each sort of entries, so that none waits for another one. Each is woken by announcements, and ends its
 * pause only for those since its last run.
 */
export function outboxRelay(options: OutboxRelayOptions): Chore[] {
  const { store, notifications, instances, logger } = options;
  const chore = (name: string, sort: OutboxSort, send: (projects: ProjectTurn) => Promise<Sent>): Chore => {
    const projects = firstTurn();
    const listener = {};
    let pauseMs = PAUSE_MS;
    return {
      name,
      every: PAUSE_MS,
      prompt: true,
      wait: (left, stopping) => notifications.waitForOutbox(sort, Math.min(left, pauseMs), listener, stopping),
      run: async () => {
        const sent = await send(projects);
        pauseMs =
          sent === 'busy' ? Math.min(PAUSE_MS, pauseMs === PAUSE_MS ? PAUSE_IF_BUSY_MS : 2 * pauseMs) : PAUSE_MS;
        // Pages of projects that have no work left for this relay are followed by the other pages.
        return sent === 'more' || projects.after !== '' ? 'more' : 'done';
      },
    };
  };
  return [
    chore('matching', 'matching', (projects) => matchNext(store, projects, logger)),
    chore('instance_starts', 'starts', async (projects) => {
      const starts = await unstartedInstances(store, STARTS_AT_ONCE, projects);
      await Promise.all(starts.map((instance) => sendStart(store, instances, instance, logger)));
      return afterSome(starts, STARTS_AT_ONCE);
    }),
    chore('queued_instances', 'places', (projects) => beginNext(store, projects, logger)),
    chore('commands', 'commands', async (projects) => {
      const commands = await undeliveredCommands(store, COMMANDS_AT_ONCE, projects);
      await settleAll(commands.map((command) => sendCommand(store, instances, command)));
      return afterSome(commands, COMMANDS_AT_ONCE);
    }),
    chore('wakes', 'wakes', async () => {
      const held = await waitersToWake(store, WAKES_AT_ONCE);
      await notifyWaiters(store, instances, held);
      // Shares of several resumptions may add up to less than a full batch.
      return held.length > 0 ? 'more' : 'done';
    }),
  ];
}

/** Fewer rows than the smallest share of a project are all there were. What comes later is announced. */
function afterSome(found: readonly unknown[], most: number): 'more' | 'done' {
  return found.length >= most / PROJECTS_AT_ONCE ? 'more' : 'done';
}

async function matchNext(store: Database, projects: ProjectTurn, logger: Logger): Promise<Sent> {
  const channels = await channelsToMatch(store, CHANNELS_LOOKED_AT, projects);
  const byProject = groups(channels, ({ projectID }) => projectID);
  const results = new Set<Sent>([afterSome(channels, CHANNELS_LOOKED_AT)]);
  const rest: Channel[][] = [];
  await inGroups(byProject, async (ofOne) => {
    const { projectID } = ofOne[0]!;
    const empty = ofOne.filter(({ buffers }) => !buffers);
    const cleared = await clear(store, projectID, empty, logger);
    results.add(cleared.left);
    const isLeft = new Set(cleared.rest);
    rest.push(ofOne.filter(({ channel, buffers }) => buffers || isLeft.has(channel)));
  });
  await inGroups(inTurns(rest).slice(0, CHANNELS_MATCHED), async (channel) => {
    results.add(await matchIn(store, channel, logger));
  });
  return results.has('more') ? 'more' : results.has('busy') ? 'busy' : 'done';
}

/** A failure in one project must not block the others. */
async function clear(
  store: Database,
  projectID: string,
  channels: readonly Channel[],
  logger: Logger,
): Promise<{ rest: string[]; left: Sent }> {
  const names = channels.map(({ channel }) => channel);
  if (names.length === 0) return { rest: [], left: 'done' };
  try {
    return await clearEmptyChannels(store, projectID, names);
  } catch (error) {
    logger.warn({ projectID, error: errorMessage(error) }, 'clearing of channels without messages failed; retrying');
    return { rest: names, left: 'done' };
  }
}

/** The first of each list, then the second of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) =>
    lists.flatMap((list) => (nth < list.length ? [list[nth]!] : [])),
  ).flat();
}

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += CHANNELS_AT_ONCE)
    await Promise.all(items.slice(first, first + CHANNELS_AT_ONCE).map(work));
}

/** One that Temporal did not wake is due again soon. */
async function notifyWaiters(
  store: Database,
  instances: TemporalInstances,
  held: readonly PauseWaiter[],
): Promise<void> {
  const woken: PauseWaiter[] = [];
  const wake = async (waiter: PauseWaiter): Promise<void> => {
    await instances.wake(waiter.workflowID, waiter.refusal);
    woken.push(waiter);
  };
  try {
    await settleAll(held.map(wake));
  } finally {
    if (woken.length > 0) await deleteWokenWaiters(store, woken);
  }
}

/** A failure in one channel must not block the other channels, starts, and commands. */
async function matchIn(store: Database, channel: Channel, logger: Logger): Promise<Sent> {
  try {
    return await matchChannel(store, channel, false);
  } catch (error) {
    logger.warn(
      { projectID: channel.projectID, error: errorMessage(error) },
      'matching of messages or signals failed; retrying',
    );
    return 'done';
  }
}

/** Gives free places to queued instances. A failure in one process must not block the others. */
async function beginNext(store: Database, projects: ProjectTurn, logger: Logger): Promise<Sent> {
  for (const process of await overflowedProcesses(store, OVERFLOWED_AT_ONCE)) {
    await tryIn(process, logger, () => offerAgain(store, process));
    store.announce(outboxAnnouncements(['matching']));
  }
  const processes = await dueGroups(store, GROUPS_AT_ONCE, projects);
  const results = new Set<Sent>();
  await inGroups(processes, (process) =>
    tryIn(process, logger, async () => {
      const { begun, isBusy } = await beginQueued(store, process);
      if (begun > 0) results.add('more');
      if (isBusy) results.add('busy');
    }),
  );
  if (results.has('more')) store.announce(outboxAnnouncements(['starts', 'matching']));
  return results.has('more') ? 'more' : results.has('busy') ? 'busy' : 'done';
}

async function tryIn(
  { projectID, processID }: { projectID: string; processID: string },
  logger: Logger,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn({ projectID, processID, error: errorMessage(error) }, 'begin of queued instances failed; retrying');
  }
}

/** The state of an imported instance, whose first step is in its rows. */
async function carriedFrom(store: Database, workflowID: string): Promise<CarriedInstance> {
  const snapshot = await readInstanceSnapshot(store, workflowID);
  if (!snapshot) throw new Error(`Instance ${workflowID} was imported, but has no step`);
  const { state, stepNumber } = snapshot;
  return { state, stepNumber, inbox: [], imported: true };
}

/** One failing start, for example with a missing graph, must not block the others. */
async function sendStart(
  store: Database,
  instances: TemporalInstances,
  instance: InstanceToStart,
  logger: Logger,
): Promise<void> {
  try {
    const carried = instance.imported && (await carriedFrom(store, instance.workflowID));
    const isThere = await instances.start(instance, carried);
    // A closed workflow of an instance without steps of its workflow is older than a restore of Postgres.
    if (!isThere && (await hasNoStep(store, instance.workflowID, carried?.stepNumber)))
      await instances.startAnew(instance, carried);
    await markStarted(store, instance.workflowID);
    if (carried && (await offerEarlyCommands(store, instance.workflowID)))
      store.announce(outboxAnnouncements(['commands']));
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

/**
 * A command that Temporal did not receive is due again soon, however old it is: nothing in the history of the instance
 * awaits it.
 */
async function sendCommand(
  store: Database,
  instances: TemporalInstances,
  { workflowID, number, kind, command, lingeringWorker }: UndeliveredCommand,
): Promise<void> {
  try {
    const arrives = () => instances.signal(workflowID, command ?? { number, reference: true, kind });
    // Without an open workflow, only a cancel command can be applied. The reconciler finds out why the workflow is
    // missing.
    if (!(await arrives())) await cancelWithoutWorkflow(store, workflowID, async () => !(await arrives()));
    else if (lingeringWorker !== null) store.announce([lingerAnnouncement(lingeringWorker, workflowID)]);
  } catch (error) {
    await offerUnsentAgain(store, workflowID, number);
    throw error;
  }
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const group = found.get(keyOf(item));
    if (group) group.push(item);
    else found.set(keyOf(item), [item]);
  }
  return [...found.values()];
}
