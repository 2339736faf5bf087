/** Whether an instance may start under the settings of its process, and whether it begins or waits for a place. */
import { createHash } from 'node:crypto';
import { concurrencyKeyOf, type KeyTree } from '@perdure/engine/concurrency-key.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { holdBusinessID, type UniquenessRefusal } from './business-ids.js';
import { isCounting } from './older-instances.js';
import type { ProcessSettings } from './settings.js';

/** A start of a process with settings. */
export interface Applicant {
  projectID: string;
  processID: string;
  definitionID: string;
  workflowID: string;
  businessID: string | undefined;
  /** Those that the concurrency key reads. */
  variables: Variables;
  /** No caller would see a refusal: it is queued whatever the settings say, and a failing key is an incident. */
  byEvent: boolean;
}

/** How the instance is written. */
export interface Admission {
  kind: 'admitted';
  /** The group whose places it needs; null if it is not counted. */
  group: string | null;
  queued: boolean;
  /** Why the concurrency key has no value. */
  keyProblem?: string;
}

/** Written without settings. */
export const UNCONTROLLED: Admission = { kind: 'admitted', group: null, queued: false };

export type AdmissionRefusal = UniquenessRefusal | Refusal<'BAD_REQUEST' | 'LIMIT_REACHED'>;

type Settings = ProcessSettings & { concurrencyKeyTree: KeyTree | null };

/** Takes the business id and the place, or a rank in the queue. A refusal must roll the transaction back. */
export async function admit(transaction: Transaction, applicant: Applicant): Promise<Admission | AdmissionRefusal> {
  const { projectID, processID, definitionID } = applicant;
  // Settings are replaced under the lock of all definitions.
  await transaction.query('SELECT FROM definitions WHERE id = $1 FOR SHARE', [definitionID]);
  const settings = await settingsOf(transaction, projectID, processID);
  if (!settings) return UNCONTROLLED;
  const taken = await takeBusinessID(transaction, applicant, settings);
  if (taken) return taken;
  return settings.concurrentInstances === null ? UNCONTROLLED : findPlace(transaction, applicant, settings);
}

export type ImportRefusal = UniquenessRefusal;

/**
 * An imported instance runs already: it takes a place without waiting for one, and holds its business id. The transaction
 * has written it, and has locked the definition. A dry run takes no place.
 */
export async function admitImported(
  transaction: Transaction,
  applicant: Omit<Applicant, 'byEvent'>,
  { dryRun }: { dryRun: boolean },
): Promise<Admission | ImportRefusal> {
  const { projectID, processID, businessID } = applicant;
  const settings = await settingsOf(transaction, projectID, processID);
  if (!settings) return UNCONTROLLED;
  const taken = await takeBusinessID(transaction, { ...applicant, businessID }, settings);
  if (taken) return taken;
  if (settings.concurrentInstances === null || dryRun) return UNCONTROLLED;
  const { concurrencyKeyTree: tree } = settings;
  const key = tree === null ? undefined : concurrencyKeyOf(tree, applicant.variables, Date.now());
  const { id } = await groupOf(transaction, { projectID, processID }, key?.ok ? key.typed : null);
  await transaction.query('UPDATE concurrency_groups SET running = running + 1 WHERE id = $1', [id]);
  return { kind: 'admitted', group: id, queued: false };
}

function settingsOf(transaction: Transaction, projectID: string, processID: string): Promise<Settings | undefined> {
  return firstRow<Settings>(
    transaction,
    `SELECT unique_business_id AS "uniqueBusinessID", concurrent_instances AS "concurrentInstances",
       concurrency_key_tree AS "concurrencyKeyTree", when_full AS "whenFull", max_queued AS "maxQueued"
     FROM process_settings WHERE project_id = $1 AND process_id = $2`,
    [projectID, processID],
  );
}

async function takeBusinessID(
  transaction: Transaction,
  applicant: Omit<Applicant, 'byEvent'>,
  { uniqueBusinessID: rule }: Settings,
): Promise<UniquenessRefusal | undefined> {
  const { businessID } = applicant;
  return businessID === undefined || rule === 'NONE'
    ? undefined
    : holdBusinessID(transaction, { ...applicant, businessID }, rule);
}

interface Group {
  id: string;
  running: number;
  queued: number;
  /** Whether older instances are still added to what is running. */
  isCounting: boolean;
}

async function groupOf(
  transaction: Transaction,
  { projectID, processID }: Pick<Applicant, 'projectID' | 'processID'>,
  key: string | null,
): Promise<Group> {
  const group = await firstRow<Group>(
    transaction,
    `INSERT INTO concurrency_groups AS g (project_id, process_id, key_sha256) VALUES ($1, $2, $3)
     ON CONFLICT (project_id, process_id, key_sha256) DO UPDATE SET key_sha256 = excluded.key_sha256
     RETURNING id, running, queued, ${isCounting('$1', '$2')} AS "isCounting"`,
    [projectID, processID, key === null ? Buffer.alloc(0) : createHash('sha256').update(key).digest()],
  );
  return group!;
}

async function findPlace(
  transaction: Transaction,
  applicant: Applicant,
  settings: Settings,
): Promise<Admission | AdmissionRefusal> {
  const { concurrencyKeyTree: tree } = settings;
  const key =
    tree === null ? { ok: true as const, typed: null } : concurrencyKeyOf(tree, applicant.variables, Date.now());
  if (key.ok) return takePlace(transaction, applicant, settings, key.typed);
  if (!applicant.byEvent) return refused('BAD_REQUEST', key.message);
  const place = await takePlace(transaction, applicant, settings, null);
  return place.kind === 'refused' ? place : { ...place, keyProblem: key.message };
}

async function takePlace(
  transaction: Transaction,
  { projectID, processID, byEvent }: Applicant,
  { concurrentInstances, whenFull, maxQueued }: Settings,
  key: string | null,
): Promise<Admission | Refusal<'LIMIT_REACHED'>> {
  const queue = await firstRow<{ queued: number }>(
    transaction,
    'SELECT queued FROM process_settings WHERE project_id = $1 AND process_id = $2 FOR NO KEY UPDATE',
    [projectID, processID],
  );
  // In a later statement, which sees what the lock of the settings waited for.
  const { id, running, queued, isCounting } = await groupOf(transaction, { projectID, processID }, key);
  const hasPlace = running < concurrentInstances!;
  if (hasPlace && queued === 0 && !isCounting) {
    await transaction.query('UPDATE concurrency_groups SET running = running + 1 WHERE id = $1', [id]);
    return { kind: 'admitted', group: id, queued: false };
  }
  if (whenFull === 'REFUSE' && !byEvent)
    return refused(
      'LIMIT_REACHED',
      `${running} of ${concurrentInstances} instances of process ${processID} with this concurrency key are running, and ${queued} wait for a place. Retry when one has ended`,
    );
  if (queue!.queued >= maxQueued)
    return refused(
      'LIMIT_REACHED',
      `${queue!.queued} instances of process ${processID} wait for a place, of at most ${maxQueued}. Retry when some have begun`,
    );
  await transaction.query(
    `WITH longer AS (UPDATE process_settings SET queued = queued + 1 WHERE project_id = $2 AND process_id = $3)
     UPDATE concurrency_groups SET queued = queued + 1, due_at = CASE WHEN $4 THEN coalesce(due_at, now()) ELSE due_at END WHERE id = $1`,
    [id, projectID, processID, hasPlace],
  );
  // Those that it waits for may all be paused.
  if (hasPlace) transaction.announce(outboxAnnouncements(['places']));
  return { kind: 'admitted', group: id, queued: true };
}
