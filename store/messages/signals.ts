/**
 * Broadcasting a signal: to each subscription that is open when it is published, and once to each instance that
 * subscribes before it expires.
 */
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { rows, type Transaction, type Queryable } from '../sql/database.js';
import { deletePage, type KeyOfRow, type PagedDelete } from '../sql/delete-page.js';
import { clearMatched, type DueSubscription, type Subscriber } from './claims.js';
import type { Channel } from './correlation.js';

export interface KeptSignal {
  id: string;
  projectID: string;
  channel: string;
  keys: string[];
  variables: Variables | null;
  publishedBy: string | null;
  traceContext: TraceContext | null;
  /** A position; `0` if nothing has been delivered. */
  deliveredTo: string;
  /** Processes that it would have started if they had not been suspended. */
  deferredFor: string[];
}

const SUBSCRIPTIONS_AT_ONCE = 200;

interface Delivery extends Subscriber {
  publicationID: string;
}

/** Delivers to the next subscriptions that were open at publication; the signal stays due while there may be more. */
export async function deliverSignal(transaction: Transaction, signal: KeptSignal): Promise<void> {
  const open = await rows<Subscriber & { position: string }>(
    transaction,
    `SELECT s.workflow_id AS "workflowID", s.number, s.position FROM subscriptions s
     WHERE s.key = ANY($1::text[]) AND s.project_id = $2 AND s.publication_id IS NULL AND s.position > $3
       AND s.opened_at <= (SELECT published_at FROM publications WHERE id = $4)
     ORDER BY s.position LIMIT ${SUBSCRIPTIONS_AT_ONCE}`,
    [signal.keys, signal.projectID, signal.deliveredTo, signal.id],
  );
  await deliver(
    transaction,
    open.map((subscriber) => ({ ...subscriber, publicationID: signal.id })),
  );
  const isLast = open.length < SUBSCRIPTIONS_AT_ONCE;
  await transaction.query(
    'UPDATE publications SET delivered_to = $2, match_at = CASE WHEN $3 THEN NULL ELSE match_at END WHERE id = $1',
    [signal.id, open.at(-1)?.position ?? signal.deliveredTo, isLast],
  );
}

/**
 * Delivers to each of the subscriptions the oldest signal buffered for it. A second signal waits for the next
 * subscription of the instance, because the first one closes this subscription.
 * @returns whether there is more to match
 */
export async function deliverKeptSignals(
  transaction: Transaction,
  { projectID }: Channel,
  due: readonly DueSubscription[],
): Promise<boolean> {
  const found = await rows<Delivery>(
    transaction,
    `SELECT s.workflow_id AS "workflowID", s.number, kept.id AS "publicationID"
     FROM unnest($1::text[], $2::integer[]) AS d(workflow_id, number) JOIN subscriptions s USING (workflow_id, number)
     CROSS JOIN LATERAL (
       SELECT p.id FROM publications p
       WHERE p.keys @> ARRAY[s.key] AND p.project_id = $3 AND p.claimed_by IS NULL AND p.expires_at >= s.opened_at
         AND (p.published_at >= s.opened_at
           OR NOT EXISTS (SELECT 1 FROM signal_deliveries g WHERE g.publication_id = p.id AND g.workflow_id = s.workflow_id))
       ORDER BY p.position LIMIT 1) kept
     ORDER BY s.position`,
    [
      due.filter(isRunning).map(({ workflowID }) => workflowID),
      due.filter(isRunning).map(({ number }) => number),
      projectID,
    ],
  );
  await deliver(transaction, oncePerInstance(found));
  const delivered = new Set(found.map(({ workflowID, number }) => `${workflowID} ${number}`));
  await clearMatched(
    transaction,
    due.filter(({ workflowID, number }) => !delivered.has(`${workflowID} ${number}`)),
  );
  return found.length > 0;
}

function isRunning({ isRunning: running }: DueSubscription): boolean {
  return running;
}

function oncePerInstance(deliveries: readonly Delivery[]): Delivery[] {
  const seen = new Set<string>();
  return deliveries.filter(({ workflowID, publicationID }) => {
    const key = `${workflowID} ${publicationID}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Locks the instances, ancestors before descendants, and writes a command for each subscription that is still open. */
async function deliver(transaction: Transaction, deliveries: readonly Delivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await transaction.query(
    'SELECT 1 FROM instances WHERE workflow_id = ANY($1::text[]) ORDER BY depth, workflow_id FOR UPDATE',
    [[...new Set(deliveries.map(({ workflowID }) => workflowID))]],
  );
  await transaction.query(deliverStatement, [
    deliveries.map(({ workflowID }) => workflowID),
    deliveries.map(({ number }) => number),
    deliveries.map(({ publicationID }) => publicationID),
  ]);
}

/** Larger variables are stored once, next to the commands that carry the signal. */
const MAX_COPIED_BYTES = 8 * 1024;

const deliverStatement = `
  WITH open AS (
    SELECT d.workflow_id, d.number, d.publication_id, row_number() OVER (PARTITION BY d.workflow_id ORDER BY d.nth) AS nth
    FROM unnest($1::text[], $2::integer[], $3::uuid[]) WITH ORDINALITY AS d(workflow_id, number, publication_id, nth)
    JOIN subscriptions s USING (workflow_id, number) JOIN instances i USING (workflow_id)
    WHERE s.publication_id IS NULL AND i.status = 'RUNNING' AND NOT i.canceling
  ), claimed AS (
    UPDATE subscriptions s SET publication_id = o.publication_id, match_at = NULL FROM open o
    WHERE s.workflow_id = o.workflow_id AND s.number = o.number
  ), delivered AS (
    INSERT INTO signal_deliveries (publication_id, workflow_id) SELECT DISTINCT publication_id, workflow_id FROM open ON CONFLICT DO NOTHING RETURNING publication_id
  ), counted AS (
    UPDATE publications p SET reached = p.reached + d.count
    FROM (SELECT publication_id, count(*)::integer AS count FROM delivered GROUP BY publication_id) d WHERE p.id = d.publication_id
  ), numbered AS (
    UPDATE instances i SET command_count = i.command_count + c.count
    FROM (SELECT workflow_id, count(*)::integer AS count FROM open GROUP BY workflow_id) c WHERE i.workflow_id = c.workflow_id
    RETURNING i.workflow_id, i.project_id, i.command_count - c.count AS before
  ), signals AS MATERIALIZED (
    SELECT id, published_by, trace_context, octet_length(variables::text) > ${MAX_COPIED_BYTES} AS is_large
    FROM publications WHERE id IN (SELECT publication_id FROM open)
  ), payloads AS (
    INSERT INTO signal_payloads (publication_id, variables)
    SELECT p.id, p.variables FROM signals l JOIN publications p ON p.id = l.id WHERE l.is_large ON CONFLICT DO NOTHING
  ), copies AS MATERIALIZED (
    SELECT p.id, p.variables FROM signals l JOIN publications p ON p.id = l.id WHERE NOT l.is_large
  )
  INSERT INTO commands (workflow_id, project_id, number, body, signal_id, payload_id, actor, awaited, deliver_at)
  SELECT o.workflow_id, n.project_id, n.before + o.nth,
    (SELECT json_object_agg(name, value) FROM (VALUES
       ('kind', '"DELIVER_SIGNAL"'::json), ('execution', to_json(o.number)), ('publicationID', to_json(s.id)),
       ('variables', c.variables), ('traceContext', s.trace_context)
     ) AS member (name, value) WHERE value IS NOT NULL),
    s.id, CASE WHEN s.is_large THEN s.id END, s.published_by, false, now()
  FROM open o JOIN numbered n USING (workflow_id) JOIN signals s ON s.id = o.publication_id LEFT JOIN copies c ON c.id = s.id`;

/** A page is small, because a signal may have reached a million instances. */
const unreadPayloads: PagedDelete = {
  table: 'signal_payloads',
  key: ['publication_id'],
  condition: `NOT EXISTS (SELECT FROM publications p WHERE p.id = signal_payloads.publication_id)
    AND NOT EXISTS (SELECT FROM commands c WHERE c.payload_id = signal_payloads.publication_id)`,
  pageSize: 20,
};

/**
 * Deletes variables of signals that no command refers to and that cannot be delivered anymore, a page at a time; see
 * `deletePage`. An instance that has ended may read them again, whenever that is, if its worker died before it could report
 * the end to Temporal.
 */
export function forgetSignalPayloads(database: Queryable, after?: KeyOfRow): Promise<KeyOfRow | undefined> {
  return deletePage(database, unreadPayloads, after);
}
