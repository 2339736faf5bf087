/** Settings of a process, for its root instances of all versions. */
import type { KeyTree } from '@perdure/engine/concurrency-key.js';
import { changesBetween, type Details } from '../audit/details.js';
import { writeEntry, type AuditDraft } from '../audit/entries.js';
import { firstRow, type Database, type Queryable, type Transaction } from '../sql/database.js';
import { refused, transactUnlessRefused, type Refusal } from '../sql/refusal.js';
import { outboxAnnouncements } from '../sql/announcements.js';
import { beginCounting, countFirst, stopCounting, type Process } from './older-instances.js';
import { offerOverflowed } from './overflow.js';
import { lockProcess, readViolations, violationsSince, type Read } from './violations.js';

export const uniqueness = ['NONE', 'RUNNING', 'EVER'] as const;
export const fullness = ['QUEUE', 'REFUSE'] as const;

export interface ProcessSettings {
  uniqueBusinessID: (typeof uniqueness)[number];
  /** Null: no limit. */
  concurrentInstances: number | null;
  /** FEEL, as it was written. */
  concurrencyKey: string | null;
  whenFull: (typeof fullness)[number];
  maxQueued: number;
}

/** Settings of a process that was given none. */
export const DEFAULT_SETTINGS: ProcessSettings = {
  uniqueBusinessID: 'NONE',
  concurrentInstances: null,
  concurrencyKey: null,
  whenFull: 'QUEUE',
  maxQueued: 10_000,
};

/** SQL: whether starts must keep the settings `s`. */
export function isControlling(s: string): string {
  return `(${s}.unique_business_id <> 'NONE' OR ${s}.concurrent_instances IS NOT NULL)`;
}

const columns = `s.unique_business_id AS "uniqueBusinessID", s.concurrent_instances AS "concurrentInstances",
  s.concurrency_key AS "concurrencyKey", s.when_full AS "whenFull", s.max_queued AS "maxQueued"`;

/** Undefined if there is no such process. */
export async function readSettings(
  database: Queryable,
  projectID: string,
  processID: string,
): Promise<ProcessSettings | undefined> {
  const found = await firstRow<ProcessSettings & { isSet: boolean }>(
    database,
    `SELECT ${columns}, s.process_id IS NOT NULL AS "isSet"
     FROM (SELECT FROM definitions WHERE project_id = $1 AND process_id = $2 LIMIT 1) deployed
       LEFT JOIN process_settings s ON s.project_id = $1 AND s.process_id = $2`,
    [projectID, processID],
  );
  if (!found) return undefined;
  const { isSet, ...settings } = found;
  return isSet ? settings : DEFAULT_SETTINGS;
}

/** The settings of a process with their expression parsed. */
export interface GivenSettings extends ProcessSettings {
  concurrencyKeyTree: KeyTree | null;
}

export interface SettingsRequest extends Process {
  settings: GivenSettings;
  audit?: AuditDraft | undefined;
}

/** `before`: what the settings were. */
export type Replaced = { kind: 'replaced'; before: ProcessSettings } | Refusal<'NOT_FOUND' | 'CONFLICT'>;

/**
 * Replaces all settings of the process. The change excludes starts: each is entirely before or entirely after it. Until
 * the instances from before a new limit are counted, nothing gets a place; a chore counts what the first pages leave.
 */
export async function replaceSettings(database: Database, request: SettingsRequest): Promise<Replaced> {
  const { settings, audit, ...process } = request;
  const read = await readBefore(database, process, settings);
  const replaced = await transactUnlessRefused(database, async (transaction) => {
    const done = await replaceIn(transaction, process, settings, read);
    if (audit && done.kind === 'replaced')
      await writeEntry(transaction, process.projectID, {
        ...audit,
        details: changesBetween(shown(done.before), shown(settings)),
      });
    return done;
  });
  if (replaced.kind === 'refused') return replaced;
  if (settings.concurrentInstances !== null) await countFirst(database, process);
  database.announce(outboxAnnouncements(['places', 'matching']));
  return replaced;
}

/** By the names of the API. */
function shown(settings: ProcessSettings): Details {
  const { uniqueBusinessID: uniqueBusinessId, concurrentInstances, concurrencyKey, whenFull, maxQueued } = settings;
  return { uniqueBusinessId, concurrentInstances, concurrencyKey, whenFull, maxQueued };
}

/** Nothing if the rule stays. If another change turns out to have come in between, all is read under the lock. */
async function readBefore(
  database: Database,
  process: Process,
  { uniqueBusinessID: rule }: GivenSettings,
): Promise<Read> {
  const before = await readSettings(database, process.projectID, process.processID);
  const isNew = rule !== 'NONE' && before !== undefined && before.uniqueBusinessID !== rule;
  return isNew ? readViolations(database, process, rule) : { upTo: 0, businessIDs: [] };
}

async function replaceIn(
  transaction: Transaction,
  process: Process,
  settings: GivenSettings,
  read: Read,
): Promise<Replaced> {
  const { projectID, processID } = process;
  const isThere = await lockProcess(transaction, process);
  const before = isThere ? await readSettings(transaction, projectID, processID) : undefined;
  if (before === undefined) return refused('NOT_FOUND', `There is no process ${processID} in this project`);
  await transaction.query('UPDATE definitions SET controlled = $3 WHERE project_id = $1 AND process_id = $2', [
    projectID,
    processID,
    settings.uniqueBusinessID !== 'NONE' || settings.concurrentInstances !== null,
  ]);
  const rule = settings.uniqueBusinessID;
  if (rule !== before.uniqueBusinessID) {
    const businessIds = rule === 'NONE' ? [] : await violationsSince(transaction, process, rule, read);
    if (businessIds.length > 0) return refusedForViolations(rule, businessIds);
    // Starts find the holders again: those of another rule can be other instances.
    await transaction.query('DELETE FROM business_id_holders WHERE project_id = $1 AND process_id = $2', [
      projectID,
      processID,
    ]);
  }
  await writeSettings(transaction, projectID, processID, settings);
  // After the lock of the settings and before those of groups, as everywhere.
  if (settings.concurrentInstances === null) await stopCounting(transaction, process);
  else if (before.concurrentInstances === null) await beginCounting(transaction, process);
  await offerPlaces(transaction, process);
  await offerOverflowed(transaction, projectID, processID);
  return { kind: 'replaced', before };
}

function refusedForViolations(
  rule: ProcessSettings['uniqueBusinessID'],
  businessIds: readonly string[],
): Refusal<'CONFLICT'> {
  const which = rule === 'RUNNING' ? 'running instances' : 'instances';
  return refused(
    'CONFLICT',
    `uniqueBusinessId cannot be ${rule}: several ${which} of the process have the same business id, such as those in details.businessIds. Let one of each be left`,
    { businessIds },
  );
}

async function writeSettings(
  transaction: Transaction,
  projectID: string,
  processID: string,
  settings: GivenSettings,
): Promise<void> {
  const { uniqueBusinessID, concurrentInstances, concurrencyKey, concurrencyKeyTree, whenFull, maxQueued } = settings;
  await transaction.query(
    `INSERT INTO process_settings (project_id, process_id, unique_business_id, concurrent_instances, concurrency_key,
       concurrency_key_tree, when_full, max_queued)
     VALUES ($1, $2, $3, $4, $5, $6::json, $7, $8)
     ON CONFLICT (project_id, process_id) DO UPDATE SET unique_business_id = excluded.unique_business_id,
       concurrent_instances = excluded.concurrent_instances, concurrency_key = excluded.concurrency_key,
       concurrency_key_tree = excluded.concurrency_key_tree, when_full = excluded.when_full, max_queued = excluded.max_queued`,
    [
      projectID,
      processID,
      uniqueBusinessID,
      concurrentInstances,
      concurrencyKey,
      concurrencyKeyTree === null ? null : JSON.stringify(concurrencyKeyTree),
      whenFull,
      maxQueued,
    ],
  );
}

/** Groups keep their instances whatever the new key is. Each of them is due, because there may be more places now. */
async function offerPlaces(transaction: Transaction, { projectID, processID }: Process): Promise<void> {
  await transaction.query(
    `UPDATE concurrency_groups SET due_at = now() WHERE id IN (
       SELECT id FROM concurrency_groups WHERE project_id = $1 AND process_id = $2 AND queued > 0 ORDER BY id FOR UPDATE)`,
    [projectID, processID],
  );
}
