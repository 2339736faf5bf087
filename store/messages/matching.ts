/**
 * Matches publications and subscriptions, one channel at a time, under the channel's advisory lock. Everything to match
 * is already in the tables, so a match that fails halfway is simply repeated.
 */
import { matchedAnnouncement, outboxAnnouncements, type OutboxSort } from '../sql/announcements.js';
import { preparedRows, rows, type Database, type Transaction } from '../sql/database.js';
import { isPermanent } from '../sql/permanence.js';
import { firstTurn, PROJECTS_AT_ONCE, takeTurnForRows, turnTaken } from '../turns/project-turns.js';
import {
  clearMatched,
  dueSubscriptions,
  giveMessage,
  oldestSubscriber,
  smallVariables,
  type GivenMessage,
  type KeptMessage,
  oldestMessage,
  type Sender,
  type Subscriber,
} from './claims.js';
import type { Channel, PublicationType } from './correlation.js';
import { keepMessage } from './messages.js';
import { deliverKeptSignals, deliverSignal, type KeptSignal } from './signals.js';
import { offerKept, startByMessage, startBySignal } from './start-subscriptions.js';

export interface DueChannel extends Channel {
  /** Whether it buffers something, so that it must be matched for itself; otherwise `clearEmptyChannels` may do. */
  buffers: boolean;
}

/** `busy`: another match holds the channel. `more`: there is more to match. */
export type Matched = 'done' | 'more' | 'busy';

const MESSAGES_AT_ONCE = 50;
const SUBSCRIPTIONS_AT_ONCE = 200;
/** Subscriptions that `clearEmptyChannels` ends at once. */
const MAX_CLEARED = 5 * SUBSCRIPTIONS_AT_ONCE;

/** Rows of each table that are read for the channels of one project, or its share if that is more. */
const ROWS_LOOKED_AT = 50;

const tables = ['subscriptions', 'publications', 'start_subscriptions'] as const;

/** One row of each project that has any, by the index of the table on project and time; see `turnsOfDue`. */
const headsOf = (table: string) => {
  const first = (from: string) =>
    `SELECT project_id, match_at FROM ${table} WHERE match_at IS NOT NULL AND ${from} ORDER BY project_id, match_at LIMIT 1`;
  return `${table}_heads AS (
    (${first("($2::text = '' OR project_id > $2)")})
    UNION ALL
    SELECT next.project_id, next.match_at FROM ${table}_heads h CROSS JOIN LATERAL (${first('project_id > h.project_id')}) next
  )`;
};

/** The rows of a table that have been due longest, of the project `p`. */
const oldestDueOf = (table: string) => `(
        SELECT channel, match_at FROM ${table}
        WHERE project_id = p.project_id AND match_at IS NOT NULL AND match_at <= now()
        ORDER BY match_at LIMIT greatest(${ROWS_LOOKED_AT}, p.share)
      )`;

const channelsStatement = `
  WITH RECURSIVE ${tables.map(headsOf).join(', ')}, due_projects AS MATERIALIZED (
    SELECT project_id AS id FROM (${tables.map((table) => `SELECT * FROM ${table}_heads`).join(' UNION ALL ')}) heads
    WHERE match_at <= now() GROUP BY project_id ORDER BY project_id LIMIT ${PROJECTS_AT_ONCE}
  ), turns AS MATERIALIZED (
    SELECT id AS project_id, greatest(1, $1 / count(*) OVER ())::integer AS share FROM due_projects
  )
  SELECT turn.*, p.project_id AS "projectID", found.channel, EXISTS (
    SELECT FROM publications k WHERE k.channel = found.channel AND k.project_id = p.project_id AND k.claimed_by IS NULL) AS buffers
  FROM (SELECT ${turnTaken}) turn LEFT JOIN (turns p CROSS JOIN LATERAL (
    SELECT channel, row_number() OVER (ORDER BY min(match_at)) AS nth FROM (
      ${tables.map(oldestDueOf).join(' UNION ALL ')}
    ) due GROUP BY channel ORDER BY min(match_at) LIMIT p.share
  ) found) ON true
  ORDER BY nth, p.project_id`;

/**
 * Channels with something to match: of the next projects that have any, with an equal share each. The channels of each
 * project that have waited longest come first, those of different projects by turns.
 * @param limit maximum number
 * @param turn the projects that are next; moves on
 */
export async function channelsToMatch(database: Database, limit: number, turn = firstTurn()): Promise<DueChannel[]> {
  const found = await takeTurnForRows<{ projectID: string | null; channel: string; buffers: boolean }>(
    database,
    turn,
    channelsStatement,
    [limit],
  );
  return found.flatMap(({ projectID, channel, buffers }) =>
    projectID === null ? [] : { projectID, channel, buffers },
  );
}

/**
 * Ends the matching of subscriptions in channels of one project that buffer nothing, all of them in one transaction:
 * with names that contain an id, a project has as many channels as subscriptions. Channels that another transaction
 * matches are left to it.
 * @returns the channels that must be matched one by one, and what is left of the others
 */
export async function clearEmptyChannels(
  database: Database,
  projectID: string,
  channels: readonly string[],
): Promise<{ rest: string[]; left: Matched }> {
  return database.transaction(async (transaction) => {
    // A separate statement, so that the next one takes its snapshot after the locks.
    const locked = await rows<{ channel: string }>(
      transaction,
      `SELECT channel FROM unnest($2::text[]) AS c(channel) WHERE pg_try_advisory_xact_lock(${lockKey('$1', 'channel')})`,
      [projectID, channels],
    );
    const empty = await rows<{ channel: string; cleared: number }>(transaction, clearStatement, [
      projectID,
      locked.map(({ channel }) => channel),
    ]);
    const isEmpty = new Set(empty.map(({ channel }) => channel));
    return {
      rest: locked.flatMap(({ channel }) => (isEmpty.has(channel) ? [] : channel)),
      left: empty[0]?.cleared === MAX_CLEARED ? 'more' : locked.length < channels.length ? 'busy' : 'done',
    };
  });
}

const clearStatement = `
  WITH empty AS MATERIALIZED (
    SELECT c.channel FROM unnest($2::text[]) AS c(channel)
    WHERE NOT EXISTS (SELECT FROM publications p WHERE p.channel = c.channel AND p.project_id = $1 AND p.claimed_by IS NULL)
  ), due AS MATERIALIZED (
    SELECT s.ctid AS place FROM subscriptions s
    WHERE s.project_id = $1 AND s.match_at <= now() AND s.channel IN (SELECT channel FROM empty) AND s.publication_id IS NULL
    ORDER BY s.match_at LIMIT ${MAX_CLEARED} FOR UPDATE OF s SKIP LOCKED
  ), cleared AS (
    UPDATE subscriptions SET match_at = NULL WHERE ctid = ANY (ARRAY (SELECT place FROM due))
  ), offered AS (
    UPDATE start_subscriptions SET match_at = NULL WHERE project_id = $1 AND channel IN (SELECT channel FROM empty) AND match_at IS NOT NULL
  )
  SELECT channel, (SELECT count(*)::integer FROM due) AS cleared FROM empty`;

/** SQL: the key of the lock of a channel. */
function lockKey(projectID: string, channel: string): string {
  return `hashtextextended(${projectID} || ' ' || ${channel}, 0)`;
}

/** Pause of a channel that the database refuses to match, so that it does not stay ahead of the others. */
const PAUSE_AFTER_REFUSAL = "interval '1 minute'";

/**
 * Matches part of the pending work of a channel. The outbox relay delivers what instances have been given.
 * @param wait whether to wait for another match of the same channel
 * @throws if the database refuses the match; if it refuses its content, the channel is due again in a minute
 */
export async function matchChannel(database: Database, channel: Channel, wait: boolean): Promise<Matched> {
  return (await matchOrPostpone(database, channel, { wait, sender: 'relay' })).matched;
}

/** The result of a match whose caller delivers what instances have been given. */
export interface MatchedNow {
  readonly matched: Matched;
  /** The messages that it has matched; undefined for one that is kept or has started an instance. */
  readonly messages: ReadonlyMap<string, GivenMessage | undefined>;
}

/** Like `matchChannel`, without waiting. The caller delivers the messages; in a few seconds the outbox relay does. */
export async function matchNow(database: Database, channel: Channel): Promise<MatchedNow> {
  return matchOrPostpone(database, channel, { wait: false, sender: 'caller' });
}

interface Matching {
  readonly wait: boolean;
  readonly sender: Sender;
}

async function matchOrPostpone(database: Database, channel: Channel, matching: Matching): Promise<MatchedNow> {
  try {
    return await matchPart(database, channel, matching);
  } catch (error) {
    if (isPermanent(error)) await postpone(database, channel);
    throw error;
  }
}

async function postpone(database: Database, { projectID, channel }: Channel): Promise<void> {
  for (const table of ['subscriptions', 'publications', 'start_subscriptions'])
    await database.query(
      `UPDATE ${table} SET match_at = now() + ${PAUSE_AFTER_REFUSAL} WHERE project_id = $1 AND channel = $2 AND match_at <= now()`,
      [projectID, channel],
    );
}

async function matchPart(database: Database, channel: Channel, { wait, sender }: Matching): Promise<MatchedNow> {
  const part: Part = { sender, sorts: new Set(), messages: new Map() };
  const matched = await database.transaction(async (transaction): Promise<Matched> => {
    if (!(await lockChannel(transaction, channel, wait))) return 'busy';
    const { publications, canStart } = await readDue(transaction, channel);
    const [first] = publications;
    if (!first) return matchSubscriptions(transaction, channel, part);
    if (first.type === 'signal') {
      await publishSignal(transaction, first);
      for (const sort of ['matching', 'commands', 'starts'] as const) part.sorts.add(sort);
    } else {
      const isRead = publications.length < MESSAGES_AT_ONCE;
      if ((await matchMessages(transaction, publications, canStart, part)) === 'again' || !isRead)
        part.sorts.add('matching');
    }
    return 'more';
  });
  if (matched !== 'busy') database.announce([...outboxAnnouncements([...part.sorts]), matchedAnnouncement(channel)]);
  return { matched, messages: part.messages };
}

/** The deeds of a match so far. */
interface Part {
  readonly sender: Sender;
  /** Left to the outbox relay. */
  readonly sorts: Set<OutboxSort>;
  readonly messages: Map<string, GivenMessage | undefined>;
}

/** @returns whether the message was given; it is noted in `part` */
async function give(
  transaction: Transaction,
  message: KeptMessage,
  subscriber: Subscriber,
  { part, wait }: { part: Part; wait: boolean },
): Promise<'given' | 'closed' | 'busy'> {
  const given = await giveMessage(transaction, message, subscriber, { wait, sender: part.sender });
  if (given === 'closed' || given === 'busy') return given;
  if (part.sender === 'relay') part.sorts.add('commands');
  part.messages.set(message.id, given);
  return 'given';
}

/** A separate statement, so that the next one takes its snapshot after the lock. */
export async function lockChannel(
  transaction: Transaction,
  { projectID, channel }: Channel,
  wait: boolean,
): Promise<boolean> {
  const lock = wait ? 'pg_advisory_xact_lock(k) IS NOT NULL' : 'pg_try_advisory_xact_lock(k)';
  const [row] = await preparedRows<{ locked: boolean }>(
    transaction,
    wait ? 'lock channel' : 'try to lock channel',
    `SELECT ${lock} AS locked FROM ${lockKey('$1', '$2')} AS k`,
    [projectID, channel],
  );
  return row!.locked;
}

type DuePublication = KeptMessage & KeptSignal & { type: PublicationType };

interface Due {
  publications: DuePublication[];
  /** Whether processes subscribe to the channel. One that is deployed from now on has what is kept offered again. */
  canStart: boolean;
}

/** Reads the publications that are due, oldest first, after kept ones have been offered to new processes. */
async function readDue(transaction: Transaction, channel: Channel): Promise<Due> {
  const due = await duePublications(transaction, channel);
  if (!due.offersKept) return due;
  await offerKept(transaction, channel);
  return duePublications(transaction, channel);
}

async function duePublications(
  transaction: Transaction,
  { projectID, channel }: Channel,
): Promise<Due & { offersKept: boolean }> {
  const found = await rows<Omit<DuePublication, 'id'> & { id: string | null; canStart: boolean; offersKept: boolean }>(
    transaction,
    `SELECT c.*, p.* FROM (SELECT
       EXISTS (SELECT FROM start_subscriptions WHERE channel = $1 AND project_id = $2) AS "canStart",
       EXISTS (SELECT FROM start_subscriptions WHERE channel = $1 AND project_id = $2 AND match_at IS NOT NULL) AS "offersKept") c
     LEFT JOIN (SELECT p.id, p.type, p.project_id AS "projectID", p.channel, p.keys, p.correlation IS NOT NULL AS "hasCorrelation", p.correlation, ${smallVariables('p')},
       published_by AS "publishedBy", trace_context AS "traceContext", published_at AS "publishedAt", expires_at AS "expiresAt", delivered_to AS "deliveredTo",
       deferred_for AS "deferredFor", position
     FROM publications p WHERE channel = $1 AND project_id = $2 AND match_at <= now() AND claimed_by IS NULL
     ORDER BY position LIMIT $3) p ON true ORDER BY p.position`,
    [channel, projectID, MESSAGES_AT_ONCE],
  );
  const { canStart, offersKept } = found[0]!;
  // Without any, the row of the channel alone.
  const publications = found.flatMap(({ id, ...publication }) => (id === null ? [] : { ...publication, id }));
  return { publications, canStart, offersKept };
}

/**
 * Oldest first. If an instance is locked, later publications wait too, so that none overtakes another.
 * @param canStart whether one that no subscription waits for may start an instance
 * @returns `again` if some of them are left
 */
async function matchMessages(
  transaction: Transaction,
  messages: readonly KeptMessage[],
  canStart: boolean,
  part: Part,
): Promise<'done' | 'again'> {
  let holdsInstance = false;
  for (const message of messages) {
    for (;;) {
      const subscriber = await oldestSubscriber(transaction, message);
      if (!subscriber) {
        if ((await startOrKeep(transaction, message, canStart, part)) === 'again') return 'again';
        // It may have locked a place, which the end of an instance waits for.
        holdsInstance ||= canStart;
        break;
      }
      const given = await give(transaction, message, subscriber, { part, wait: !holdsInstance });
      if (given === 'busy') return 'again';
      holdsInstance = true;
      if (given === 'given') break;
    }
  }
  return 'done';
}

async function startOrKeep(
  transaction: Transaction,
  message: KeptMessage,
  canStart: boolean,
  { sorts, messages }: Part,
): Promise<'done' | 'again'> {
  if (canStart) {
    sorts.add('starts');
    if (await startByMessage(transaction, message)) return 'again';
  } else await keepMessage(transaction, message.id);
  messages.set(message.id, undefined);
  return 'done';
}

async function publishSignal(transaction: Transaction, signal: KeptSignal): Promise<void> {
  if (!(await startBySignal(transaction, signal))) return;
  await deliverSignal(transaction, signal);
}

async function matchSubscriptions(transaction: Transaction, channel: Channel, part: Part): Promise<Matched> {
  const due = await dueSubscriptions(transaction, channel, SUBSCRIPTIONS_AT_ONCE);
  if (due.length === 0) return 'done';
  if (due[0]!.type === 'signal') {
    if (!(await deliverKeptSignals(transaction, channel, due))) return 'done';
    part.sorts.add('commands').add('matching');
    return 'more';
  }
  let holdsInstance = false;
  let isLeft = due.length === SUBSCRIPTIONS_AT_ONCE;
  const without: typeof due = [];
  for (const subscription of due) {
    const message = subscription.isRunning ? await oldestMessage(transaction, channel, subscription) : undefined;
    if (!message) {
      without.push(subscription);
      continue;
    }
    if ((await give(transaction, message, subscription, { part, wait: !holdsInstance })) === 'busy') {
      isLeft = true;
      break;
    }
    holdsInstance = true;
  }
  await clearMatched(transaction, without);
  if (!isLeft) return 'done';
  part.sorts.add('matching');
  return 'more';
}
