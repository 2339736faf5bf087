/**
 * Matches publications and subscriptions, one channel at a time, under the channel's advisory lock. Everything to match
 * is already in the tables, so a match that fails halfway is simply repeated.
 */
import type { Pool, PoolClient } from 'pg';
import { announce, outboxAnnouncement } from '../sql/announcements.js';
import { firstRow, inTransaction, rows } from '../sql/database.js';
import { isPermanent } from '../sql/permanence.js';
import {
  clearMatched,
  dueSubscriptions,
  giveMessage,
  oldestSubscriber,
  smallVariables,
  type KeptMessage,
  oldestMessage,
} from './claims.js';
import type { PublicationType } from './correlation.js';
import { deliverKeptSignals, deliverSignal, type KeptSignal } from './signals.js';
import { offerKept, startByMessage, startBySignal } from './start-subscriptions.js';

export interface Channel {
  projectID: string;
  channel: string;
}

/** `busy`: another match holds the channel. `more`: there is more to match. */
export type Matched = 'done' | 'more' | 'busy';

const MESSAGES_AT_ONCE = 50;
const SUBSCRIPTIONS_AT_ONCE = 200;

/** Channels with something to match, across all projects, longest waiting first. */
export async function channelsToMatch(pool: Pool, limit: number): Promise<Channel[]> {
  const due = (table: string) =>
    `(SELECT project_id, channel, match_at FROM ${table} WHERE match_at <= now() ORDER BY match_at LIMIT 1000)`;
  return rows<Channel>(
    pool,
    `SELECT project_id AS "projectID", channel
     FROM (${['subscriptions', 'publications', 'start_subscriptions'].map(due).join(' UNION ALL ')}) due
     GROUP BY project_id, channel ORDER BY min(match_at) LIMIT $1`,
    [limit],
  );
}

/** Pause of a channel that the database refuses to match, so that it does not stay ahead of the others. */
const PAUSE_AFTER_REFUSAL = "interval '1 minute'";

/**
 * Matches part of the pending work of a channel.
 * @param wait whether to wait for another match of the same channel
 * @throws if the database refuses the match; if it refuses its content, the channel is due again in a minute
 */
export async function matchChannel(pool: Pool, channel: Channel, wait: boolean): Promise<Matched> {
  try {
    return await matchPart(pool, channel, wait);
  } catch (error) {
    if (isPermanent(error)) await postpone(pool, channel);
    throw error;
  }
}

async function postpone(pool: Pool, { projectID, channel }: Channel): Promise<void> {
  for (const table of ['subscriptions', 'publications', 'start_subscriptions'])
    await pool.query(
      `UPDATE ${table} SET match_at = now() + ${PAUSE_AFTER_REFUSAL} WHERE project_id = $1 AND channel = $2 AND match_at <= now()`,
      [projectID, channel],
    );
}

async function matchPart(pool: Pool, channel: Channel, wait: boolean): Promise<Matched> {
  const matched = await inTransaction(pool, async (transaction): Promise<Matched> => {
    if (!(await lockChannel(transaction, channel, wait))) return 'busy';
    await offerKept(transaction, channel);
    const publications = await duePublications(transaction, channel);
    const [first] = publications;
    if (first?.type === 'signal') {
      await publishSignal(transaction, first);
      return 'more';
    }
    if (first) return matchMessages(transaction, publications);
    return matchSubscriptions(transaction, channel);
  });
  if (matched !== 'busy') announce(pool, [outboxAnnouncement]);
  return matched;
}

/** A separate statement, so that the next one takes its snapshot after the lock. */
export async function lockChannel(
  transaction: PoolClient,
  { projectID, channel }: Channel,
  wait: boolean,
): Promise<boolean> {
  const lock = wait ? 'pg_advisory_xact_lock(k) IS NOT NULL' : 'pg_try_advisory_xact_lock(k)';
  const row = await firstRow<{ locked: boolean }>(
    transaction,
    `SELECT ${lock} AS locked FROM hashtextextended($1 || ' ' || $2, 0) AS k`,
    [projectID, channel],
  );
  return row!.locked;
}

type DuePublication = KeptMessage & KeptSignal & { type: PublicationType };

async function duePublications(transaction: PoolClient, { projectID, channel }: Channel): Promise<DuePublication[]> {
  return rows<DuePublication>(
    transaction,
    `SELECT p.id, p.type, p.project_id AS "projectID", p.channel, p.keys, p.correlation IS NOT NULL AS "hasCorrelation", p.correlation, ${smallVariables('p')},
       published_by AS "publishedBy", trace_context AS "traceContext", published_at AS "publishedAt", expires_at AS "expiresAt", delivered_to AS "deliveredTo",
       held_for AS "heldFor"
     FROM publications p WHERE channel = $1 AND project_id = $2 AND match_at <= now() AND claimed_by IS NULL
     ORDER BY position LIMIT $3`,
    [channel, projectID, MESSAGES_AT_ONCE],
  );
}

/** Oldest first. If an instance is locked, later publications wait too, so that none overtakes another. */
async function matchMessages(transaction: PoolClient, messages: readonly KeptMessage[]): Promise<Matched> {
  let holdsInstance = false;
  for (const message of messages) {
    for (;;) {
      const subscriber = await oldestSubscriber(transaction, message);
      if (!subscriber) {
        if (await startByMessage(transaction, message)) return 'more';
        break;
      }
      const given = await giveMessage(transaction, message, subscriber, !holdsInstance);
      if (given === 'busy') return 'more';
      holdsInstance = true;
      if (given === 'given') break;
    }
  }
  return 'more';
}

async function publishSignal(transaction: PoolClient, signal: KeptSignal): Promise<void> {
  if (!(await startBySignal(transaction, signal))) return;
  await deliverSignal(transaction, signal);
}

async function matchSubscriptions(transaction: PoolClient, channel: Channel): Promise<Matched> {
  const due = await dueSubscriptions(transaction, channel, SUBSCRIPTIONS_AT_ONCE);
  if (due.length === 0) return 'done';
  if (due[0]!.type === 'signal') return (await deliverKeptSignals(transaction, channel, due)) ? 'more' : 'done';
  let holdsInstance = false;
  const without: typeof due = [];
  for (const subscription of due) {
    const message = subscription.isRunning ? await oldestMessage(transaction, channel, subscription) : undefined;
    if (!message) {
      without.push(subscription);
      continue;
    }
    if ((await giveMessage(transaction, message, subscription, !holdsInstance)) === 'busy') break;
    holdsInstance = true;
  }
  await clearMatched(transaction, without);
  return due.length > without.length || due.length === SUBSCRIPTIONS_AT_ONCE ? 'more' : 'done';
}
