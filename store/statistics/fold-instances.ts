/** Adds step commits to the statistics, each exactly once: the position of an instance advances in the same transaction. */
import { rows, type Transaction } from '../sql/database.js';
import { TargetWatch } from '../targets/watch.js';
import { foldAcceptance, foldStep, type CompletedWork, type Occurrence, type TakenFlow } from './fold-facts.js';
import { keyOfFlow } from './rows.js';
import { Tallies, type Version } from './tallies.js';
import { instancesToFold, nextSteps, withoutNextStep, type InstanceToFold } from './unfolded-steps.js';
import { workedTimes } from './worked-times.js';

/** An arbitrary key used by no other lock in the database. */
const FOLD_LOCK = 7_303_041;

/** Held by every transaction that folds, and by those that remove what it reads. */
export async function lockFold(transaction: Transaction): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [FOLD_LOCK]);
}

/** @returns false if another transaction holds the lock */
export function tryLockFold(transaction: Transaction): Promise<boolean> {
  return tryLock(transaction, FOLD_LOCK);
}

/** As `tryLockFold`, with another key. */
export async function tryLock(transaction: Transaction, key: number): Promise<boolean> {
  const [row] = await rows<{ locked: boolean }>(transaction, 'SELECT pg_try_advisory_xact_lock($1) AS locked', [key]);
  return row!.locked;
}

export interface FoldedTurn {
  steps: number;
  /** Misses of targets that were recorded. */
  missed: number;
  /** Instances that have more steps to fold. */
  unfinished: string[];
}

/**
 * Folds the next steps of these instances, a bounded amount. The transaction holds the lock of the fold.
 */
export async function foldInstances(transaction: Transaction, workflowIDs: readonly string[]): Promise<FoldedTurn> {
  const instances = await instancesToFold(transaction, workflowIDs);
  if (instances.length === 0) return { steps: 0, missed: 0, unfinished: [] };
  const steps = await nextSteps(transaction, instances);
  const byID = new Map(instances.map((instance) => [instance.workflowID, instance]));
  const counted: Counted = { occurrences: [], work: [], flows: [] };
  const accepted = instances.filter(({ startsOnAcceptance, steps: folded }) => startsOnAcceptance && folded === 0);
  for (const instance of accepted) {
    const { state, definitionID, createdAt } = instance;
    for (const occurrence of foldAcceptance(state, definitionID, createdAt.getTime()))
      counted.occurrences.push({ ...occurrence, instance });
  }
  for (const step of steps) foldInto(counted, byID.get(step.workflowID)!, step);
  const isUnfinished = ({ steps: folded, stepCount }: InstanceToFold) => folded < stepCount;
  // Steps that no longer exist are never found: waiting for them would keep the fold from everything else.
  const lacking = await withoutNextStep(transaction, instances.filter(isUnfinished));
  for (const instance of lacking) instance.steps = instance.stepCount;
  const changed = new Set([...steps, ...accepted, ...lacking].map(({ workflowID }) => workflowID));
  const folded = instances.filter(({ workflowID }) => changed.has(workflowID));
  const versions = await versionsOf(transaction, counted);
  await writeCounts(transaction, counted, versions);
  const missed = await new TargetWatch(versions).follow(transaction, counted.occurrences);
  await writePositions(transaction, folded);
  return {
    steps: steps.length,
    missed,
    unfinished: instances.filter(isUnfinished).map(({ workflowID }) => workflowID),
  };
}

interface Counted {
  occurrences: (Occurrence & { instance: InstanceToFold })[];
  work: (CompletedWork & { workflowID: string })[];
  flows: TakenFlow[];
}

function foldInto(
  { occurrences, work, flows }: Counted,
  instance: InstanceToFold,
  step: Parameters<typeof foldStep>[1],
): void {
  const folded = foldStep(instance.state, step);
  for (const occurrence of folded.occurrences) occurrences.push({ ...occurrence, instance });
  for (const one of folded.work) work.push({ ...one, workflowID: instance.workflowID });
  flows.push(...folded.flows);
  instance.steps = step.number;
}

async function versionsOf(
  transaction: Transaction,
  { occurrences, flows }: Counted,
): Promise<ReadonlyMap<string, Version>> {
  const found = await rows<Version & { id: string }>(
    transaction,
    'SELECT id, project_id AS "projectID", process_id AS "processID", version FROM definitions WHERE id = ANY ($1::uuid[])',
    [[...new Set([...occurrences, ...flows].map(({ definitionID }) => definitionID))]],
  );
  return new Map(found.map(({ id, ...version }) => [id, version]));
}

async function writeCounts(
  transaction: Transaction,
  { occurrences, work, flows }: Counted,
  versions: ReadonlyMap<string, Version>,
): Promise<void> {
  const tallies = new Tallies();
  for (const { definitionID, nodeID, at, counter, times, beganAt } of occurrences) {
    const version = versions.get(definitionID);
    // Deleted after all its instances were migrated to another version.
    if (!version) continue;
    tallies.add(version, nodeID, at, (sums) => {
      sums[counter] += times;
      if (counter === 'completed') sums.durations.add(at - beganAt!);
    });
  }
  for (const { definitionID, flowID, at } of flows) {
    const version = versions.get(definitionID);
    if (version) tallies.add(version, keyOfFlow(flowID), at, (sums) => (sums.started += 1));
  }
  for (const [{ definitionID, at }, { nodeID, waitingMs, workingMs }] of await workedTimes(transaction, work)) {
    const version = versions.get(definitionID);
    if (!version) continue;
    tallies.add(version, nodeID, at, ({ waiting, working }) => {
      waiting.add(waitingMs);
      working.add(workingMs);
    });
  }
  await tallies.write(transaction);
}

async function writePositions(transaction: Transaction, folded: readonly InstanceToFold[]): Promise<void> {
  await transaction.query(
    `INSERT INTO folded_instances (workflow_id, steps, state) SELECT * FROM unnest($1::text[], $2::integer[], $3::json[])
     ON CONFLICT (workflow_id) DO UPDATE SET steps = excluded.steps, state = excluded.state`,
    [
      folded.map(({ workflowID }) => workflowID),
      folded.map(({ steps }) => steps),
      folded.map(({ state }) => JSON.stringify(state)),
    ],
  );
}
