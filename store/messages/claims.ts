/**
 * Delivering a message to one subscription. Subscription and message are claimed, and a command carries the message to
 * the instance. The step commit that handles the command ends the message or, if it came too late, releases it.
 */
import type { Command, CommandBody, Delivery } from '@perdure/engine/contract/commands.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { lingeringWorker } from '../hot-instances/linger-mark.js';
import { commandOf, OWN_DELIVERY_SECONDS } from '../instances/commands.js';
import { isPaused } from '../instances/paused.js';
import { deliveryOf, hasReadOthers } from '../instances/submit-command.js';
import { isNull, unindexed } from '../sql/by-key.js';
import { firstRow, preparedRows, rows, type Transaction } from '../sql/database.js';
import { correlates, type Channel, type PublicationType } from './correlation.js';

export interface KeptMessage {
  id: string;
  projectID: string;
  channel: string;
  keys: string[];
  /** `correlation` is a value, which may be JSON's null. */
  hasCorrelation: boolean;
  correlation: Json;
  /** Null if they are large: see `variablesOf`. */
  variables: Variables | null;
  publishedBy: string | null;
  traceContext: TraceContext | null;
  expiresAt: Date;
}

export interface Subscriber {
  workflowID: string;
  number: number;
}

export interface DueSubscription extends Subscriber {
  type: PublicationType;
  keys: string[];
  hasCorrelation: boolean;
  correlation: Json;
  /** Whether its instance accepts commands. */
  isRunning: boolean;
}

/**
 * SQL: the variables of the publication in the row, unless they are large. Many publications are read at a time, and
 * nearly all of them only for comparison.
 */
export function smallVariables(publication: string): string {
  return `CASE WHEN pg_column_size(${publication}.variables) <= 8192 THEN ${publication}.variables END AS variables`;
}

/** The variables of a publication that is delivered to an instance. */
export async function variablesOf(
  transaction: Transaction,
  { id, variables }: { id: string; variables: Variables | null },
): Promise<Variables> {
  if (variables !== null) return variables;
  const stored = await firstRow<{ variables: Variables }>(
    transaction,
    'SELECT variables FROM publications WHERE id = $1',
    [id],
  );
  return stored!.variables;
}

/** Maximum candidates compared at a time. */
const CANDIDATES = 100;

/** The open subscription that has waited longest for such a message, among those opened before it expired. */
export async function oldestSubscriber(
  transaction: Transaction,
  message: KeptMessage,
): Promise<Subscriber | undefined> {
  let after = '0';
  for (;;) {
    const candidates = await preparedRows<
      Subscriber & { hasCorrelation: boolean; correlation: Json; position: string }
    >(
      transaction,
      'subscribers of a message',
      `SELECT s.workflow_id AS "workflowID", s.number, s.correlation IS NOT NULL AS "hasCorrelation", s.correlation, s.position
       FROM subscriptions s JOIN instances i USING (workflow_id)
       WHERE s.key = ANY($1::text[]) AND s.keys <@ $1::text[] AND s.project_id = $2 AND s.publication_id IS NULL AND s.position > $3
         AND s.opened_at <= (SELECT expires_at FROM publications WHERE id = $4) AND ${unindexed('i.status')} = 'RUNNING' AND NOT i.canceling
       ORDER BY s.position LIMIT ${CANDIDATES}`,
      [message.keys, message.projectID, after, message.id],
    );
    const found = candidates.find((candidate) => correlates(correlationOf(candidate), correlationOf(message)));
    if (found || candidates.length < CANDIDATES) return found;
    after = candidates.at(-1)!.position;
  }
}

/** The message that has been buffered longest for such a subscription. */
export async function oldestMessage(
  transaction: Transaction,
  { projectID }: Channel,
  subscription: DueSubscription,
): Promise<KeptMessage | undefined> {
  let after = '0';
  for (;;) {
    // Not a named statement: the best index depends on the number of buffered messages.
    const candidates = await rows<KeptMessage & { position: string }>(
      transaction,
      `SELECT p.id, p.project_id AS "projectID", p.channel, p.keys, p.correlation IS NOT NULL AS "hasCorrelation", p.correlation,
         ${smallVariables('p')}, p.published_by AS "publishedBy", p.trace_context AS "traceContext", p.expires_at AS "expiresAt", p.position
       FROM publications p
       WHERE p.keys @> $1::text[] AND p.project_id = $2 AND p.claimed_by IS NULL AND p.position > $3
         AND p.expires_at >= (SELECT opened_at FROM subscriptions WHERE workflow_id = $4 AND number = $5)
       ORDER BY p.position LIMIT ${CANDIDATES}`,
      [subscription.keys, projectID, after, subscription.workflowID, subscription.number],
    );
    const found = candidates.find((candidate) => correlates(correlationOf(subscription), correlationOf(candidate)));
    if (found || candidates.length < CANDIDATES) return found;
    after = candidates.at(-1)!.position;
  }
}

function correlationOf({
  hasCorrelation,
  correlation,
}: {
  hasCorrelation: boolean;
  correlation: Json;
}): Json | undefined {
  return hasCorrelation ? correlation : undefined;
}

/** A message that an instance has been given, and how the command that carries it gets there. */
export interface GivenMessage {
  publicationID: string;
  workflowID: string;
  command: Command;
  delivery: Delivery;
  /** The instance is paused and handles it on resume. */
  waitsForResume: boolean;
}

export interface Giving {
  /**
   * Whether to wait for the instance; false if the transaction has locked another instance, because two transactions
   * waiting for each other would deadlock.
   */
  wait: boolean;
  /** Delivers the command after the commit. The outbox relay delivers a command that its sender has not. */
  sender: Sender;
}

export type Sender = 'relay' | 'caller';

interface GiveRow {
  number: number | null;
  lingeringWorker: string | null;
  hasReadOthers: boolean | null;
  waitsForResume: boolean | null;
}

/**
 * Locks the instance, claims both, and writes the command.
 * @returns `closed` if the subscription is closed, `busy` if the instance is locked or has ended
 */
export async function giveMessage(
  transaction: Transaction,
  message: KeptMessage,
  { workflowID, number }: Subscriber,
  { wait, sender }: Giving,
): Promise<GivenMessage | 'closed' | 'busy'> {
  const { id, publishedBy, traceContext } = message;
  const variables = await variablesOf(transaction, message);
  const body: CommandBody = {
    kind: 'CORRELATE_MESSAGE',
    execution: number,
    publicationID: id,
    variables,
    ...(traceContext && { traceContext }),
  };
  const [row] = await preparedRows<GiveRow>(
    transaction,
    wait ? 'give message' : 'give message without waiting',
    wait ? giveWaiting : giveAtOnce,
    [workflowID, number, id, JSON.stringify(body), publishedBy, sender === 'caller' ? OWN_DELIVERY_SECONDS : 0],
  );
  if (!row) return 'busy';
  const { number: command, lingeringWorker: worker, hasReadOthers, waitsForResume } = row;
  if (command === null) return 'closed';
  return {
    publicationID: id,
    workflowID,
    command: commandOf(command, body, publishedBy, null),
    delivery: deliveryOf({ lingeringWorker: worker, hasReadOthers: hasReadOthers! }),
    waitsForResume: waitsForResume!,
  };
}

/** The claims come after the lock of the instance, so they see what a step commit has closed. One row if it is locked. */
const giveStatement = (lock: 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED') => `
  WITH instance AS MATERIALIZED (
    SELECT workflow_id FROM instances
    WHERE workflow_id = $1 AND ${unindexed('status')} = 'RUNNING' AND NOT canceling ${lock}
  ), claimed AS (
    UPDATE subscriptions s SET publication_id = $3, match_at = NULL FROM instance
    WHERE s.workflow_id = $1 AND s.number = $2 AND ${isNull('s.publication_id')} RETURNING s.workflow_id
  ), numbered AS (
    UPDATE instances i SET command_count = i.command_count + 1 FROM claimed c WHERE i.workflow_id = c.workflow_id
    RETURNING i.workflow_id, i.project_id, i.command_count, ${lingeringWorker('i')} AS lingering_worker,
      ${hasReadOthers('i')} AS has_read_others, ${isPaused('i')} AS paused
  ), command AS (
    INSERT INTO commands (workflow_id, project_id, number, body, actor, awaited, deliver_at)
    SELECT workflow_id, project_id, command_count, $4::json, $5::text, $5 IS NOT NULL, now() + $6::integer * interval '1 second'
    FROM numbered
  ), taken AS (
    UPDATE publications p SET claimed_by = n.workflow_id, claimed_command = n.command_count, claimed_subscription = $2, match_at = NULL
    FROM numbered n WHERE p.id = $3 RETURNING n.*
  )
  SELECT t.command_count AS number, t.lingering_worker AS "lingeringWorker", t.has_read_others AS "hasReadOthers",
    t.paused AS "waitsForResume"
  FROM instance LEFT JOIN taken t ON true`;

const giveWaiting = giveStatement('FOR UPDATE');
const giveAtOnce = giveStatement('FOR UPDATE SKIP LOCKED');

/** Subscriptions of a channel that have not been compared with buffered messages, oldest first. */
export async function dueSubscriptions(
  transaction: Transaction,
  { projectID, channel }: Channel,
  limit: number,
): Promise<DueSubscription[]> {
  return rows<DueSubscription>(
    transaction,
    `SELECT s.workflow_id AS "workflowID", s.number, s.type, s.keys, s.correlation IS NOT NULL AS "hasCorrelation", s.correlation,
       i.status = 'RUNNING' AND NOT i.canceling AS "isRunning"
     FROM subscriptions s JOIN instances i USING (workflow_id)
     WHERE s.match_at <= now() AND s.channel = $1 AND s.project_id = $2 AND s.publication_id IS NULL
     ORDER BY s.position LIMIT $3`,
    [channel, projectID, limit],
  );
}

/**
 * Marks that no message is buffered for them. Subscriptions that a step commit is closing are skipped, because waiting
 * for it might deadlock.
 */
export async function clearMatched(transaction: Transaction, subscriptions: readonly Subscriber[]): Promise<void> {
  if (subscriptions.length === 0) return;
  await transaction.query(
    `UPDATE subscriptions SET match_at = NULL WHERE (workflow_id, number) IN (
       SELECT workflow_id, number FROM subscriptions
       WHERE (workflow_id, number) IN (SELECT * FROM unnest($1::text[], $2::integer[])) FOR UPDATE SKIP LOCKED)`,
    [subscriptions.map(({ workflowID }) => workflowID), subscriptions.map(({ number }) => number)],
  );
}
