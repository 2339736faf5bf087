/** Subscriptions to the events of a project: where they are delivered. */
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import type { EventType } from '../events/types.js';
import { beingDeleted, lockProject } from '../projects/lock.js';
import { refused, type Refusal } from '../sql/refusal.js';

export interface SubscriptionSettings {
  name: string;
  url: string;
  /** The name of the secret that signs. */
  secret: string;
  types: EventType[];
  /** Null: events of all processes. */
  processIDs: string[] | null;
  enabled: boolean;
}

export interface EventSubscription extends SubscriptionSettings {
  id: string;
  /** Events up to here are delivered, on their way, or dead letters. */
  position: string;
  /** Events that wait for their delivery; those ahead of the position are counted up to 10,000. */
  pending: number;
  failingSince: Date | null;
  lastError: string | null;
  deadLetters: number;
  createdBy: string;
  createdAt: Date;
}

/** Of one project. */
export const MAX_SUBSCRIPTIONS = 20;
const MAX_COUNTED = 10_000;

const settingColumns = 's.name, s.url, s.secret, s.types, s.process_ids AS "processIDs", s.enabled';

const columns = `s.id, ${settingColumns}, s.position,
  s.failing_since AS "failingSince", s.last_error AS "lastError", s.created_by AS "createdBy", s.created_at AS "createdAt",
  (SELECT count(*)::int FROM event_deliveries d WHERE d.subscription_id = s.id AND d.dead_at IS NOT NULL) AS "deadLetters",
  (SELECT count(*)::int FROM event_deliveries d WHERE d.subscription_id = s.id AND d.dead_at IS NULL) +
  (SELECT count(*)::int FROM (
     SELECT type, process_id FROM events e WHERE e.project_id = s.project_id AND e.position > s.position
     ORDER BY e.position LIMIT ${MAX_COUNTED}
   ) ahead WHERE type = ANY (s.types) AND (s.process_ids IS NULL OR process_id = ANY (s.process_ids))) AS pending`;

export async function listSubscriptions(database: Queryable, projectID: string): Promise<EventSubscription[]> {
  return rows<EventSubscription>(
    database,
    `SELECT ${columns} FROM event_subscriptions s WHERE s.project_id = $1 ORDER BY s.created_at, s.id`,
    [projectID],
  );
}

export async function findSubscription(
  database: Queryable,
  projectID: string,
  id: string,
): Promise<EventSubscription | undefined> {
  return firstRow<EventSubscription>(
    database,
    `SELECT ${columns} FROM event_subscriptions s WHERE s.project_id = $1 AND s.id = $2`,
    [projectID, id],
  );
}

/** As `findSubscription`, and keeps its settings as they are until the end of the transaction. */
export async function lockSubscription(
  transaction: Queryable,
  projectID: string,
  id: string,
): Promise<SubscriptionSettings | undefined> {
  return firstRow<SubscriptionSettings>(
    transaction,
    `SELECT ${settingColumns} FROM event_subscriptions s WHERE s.project_id = $1 AND s.id = $2 FOR UPDATE`,
    [projectID, id],
  );
}

/** Refused if the project has as many as it may have. */
export async function createSubscription(
  database: Database,
  projectID: string,
  { name, url, secret, types, processIDs, enabled }: SubscriptionSettings,
  { position, createdBy }: { position: string; createdBy: string },
): Promise<EventSubscription | Refusal<'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    // One at a time, so that the count is right.
    if (!(await lockProject(transaction, projectID))) return beingDeleted(projectID);
    const created = await firstRow<{ id: string }>(
      transaction,
      `INSERT INTO event_subscriptions (project_id, name, url, secret, types, process_ids, enabled, position, created_by)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
       WHERE (SELECT count(*) FROM event_subscriptions WHERE project_id = $1) < ${MAX_SUBSCRIPTIONS} RETURNING id`,
      [projectID, name, url, secret, types, processIDs, enabled, position, createdBy],
    );
    if (created) return (await findSubscription(transaction, projectID, created.id))!;
    return refused(
      'CONFLICT',
      `Project ${projectID} has ${MAX_SUBSCRIPTIONS} event subscriptions already. Delete one first`,
    );
  });
}

const columnOf: Readonly<Record<keyof SubscriptionSettings, string>> = {
  name: 'name',
  url: 'url',
  secret: 'secret',
  types: 'types',
  processIDs: 'process_ids',
  enabled: 'enabled',
};

/**
 * Changes the given settings and keeps the rest. Events that are queued already stay so.
 * @returns false if there is no such subscription
 */
export async function updateSubscription(
  database: Database,
  projectID: string,
  id: string,
  changes: { readonly [Setting in keyof SubscriptionSettings]?: SubscriptionSettings[Setting] | undefined },
): Promise<boolean> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const assignments = given.map(([name], index) => `${columnOf[name as keyof SubscriptionSettings]} = $${index + 3}`);
  return database.transaction(async (transaction) => {
    const before = await firstRow<{ enabled: boolean }>(
      transaction,
      'SELECT enabled FROM event_subscriptions WHERE project_id = $1 AND id = $2 FOR UPDATE',
      [projectID, id],
    );
    if (before === undefined) return false;
    if (given.length > 0)
      await transaction.query(
        `UPDATE event_subscriptions SET ${assignments.join(', ')} WHERE project_id = $1 AND id = $2`,
        [projectID, id, ...given.map(([, value]) => value)],
      );
    // The time during which nothing was tried does not count against an event.
    if (changes.enabled === true && !before.enabled)
      await transaction.query(
        `UPDATE event_deliveries SET queued_at = now(), attempts = 0, due_at = CASE WHEN due_at IS NOT NULL THEN now() END
         WHERE subscription_id = $1 AND dead_at IS NULL`,
        [id],
      );
    return true;
  });
}

/** @returns its settings, or undefined if there is no such subscription */
export async function deleteSubscription(
  database: Queryable,
  projectID: string,
  id: string,
): Promise<SubscriptionSettings | undefined> {
  return firstRow<SubscriptionSettings>(
    database,
    `DELETE FROM event_subscriptions s WHERE s.project_id = $1 AND s.id = $2 RETURNING ${settingColumns}`,
    [projectID, id],
  );
}
