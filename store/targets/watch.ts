/** Follows what has a target from its beginning to its end. Called by the fold, in its transaction. */
import { ROOT } from '@perdure/engine/state/state.js';
import { rows, type Transaction } from '../sql/database.js';
import type { Occurrence } from '../statistics/fold-facts.js';
import type { Version } from '../statistics/tallies.js';
import { targetAt, targetsInForce, type TargetInForce } from './in-force.js';
import { insertMisses, type Miss } from './misses.js';
import { addTargetCounts, type TargetCountChange } from './counts.js';

interface Due {
  workflowID: string;
  element: number;
  /** Epoch milliseconds. */
  dueAt: number;
  durationMs: number;
  /** Recorded and counted. */
  missed: boolean;
}

type Followed = Occurrence & { instance: { workflowID: string; countsFrom: Date } };

export class TargetWatch {
  readonly #versions: ReadonlyMap<string, Version>;
  /** By the id of the instance and the number of the element. */
  readonly #open = new Map<string, Map<number, Due>>();
  /** Those of them that have no row yet. */
  readonly #begun = new Set<Due>();
  readonly #ended: Due[] = [];
  readonly #misses: Miss[] = [];
  readonly #counts: TargetCountChange[] = [];

  /** @param versions by the id of the definition */
  constructor(versions: ReadonlyMap<string, Version>) {
    this.#versions = versions;
  }

  /**
   * @param occurrences in order
   * @returns how many misses were recorded
   */
  async follow(transaction: Transaction, occurrences: readonly Followed[]): Promise<number> {
    await this.#readOpen(transaction, occurrences);
    const targets = await this.#readTargets(transaction, occurrences);
    if (targets.size === 0 && this.#open.size === 0) return 0;
    for (const occurrence of occurrences) this.#followOne(occurrence, targets);
    return this.#write(transaction);
  }

  /** That apply to what begins here, by project and process; those without targets are absent. */
  async #readTargets(
    transaction: Transaction,
    occurrences: readonly Followed[],
  ): Promise<Map<string, TargetInForce[]>> {
    const since = occurrences.reduce((first, occurrence) => Math.min(first, beginningOf(occurrence)), Infinity);
    const targets = new Map<string, TargetInForce[]>();
    const versions = [...this.#versions.values()];
    for (const projectID of new Set(versions.map((version) => version.projectID))) {
      const processIDs = new Set(versions.filter((one) => one.projectID === projectID).map((one) => one.processID));
      for (const target of await targetsInForce(transaction, projectID, [...processIDs], since)) {
        const key = processKey({ projectID, processID: target.processID });
        const ofProcess = targets.get(key);
        if (ofProcess) ofProcess.push(target);
        else targets.set(key, [target]);
      }
    }
    return targets;
  }

  async #readOpen(transaction: Transaction, occurrences: readonly Followed[]): Promise<void> {
    const found = await rows<Due>(
      transaction,
      `SELECT workflow_id AS "workflowID", element, extract(epoch FROM due_at)::float8 * 1000 AS "dueAt", duration_ms::float8 AS "durationMs", missed
       FROM target_dues WHERE workflow_id = ANY ($1::text[])`,
      [[...new Set(occurrences.map(({ instance }) => instance.workflowID))]],
    );
    for (const due of found) this.#add(due);
  }

  #followOne(occurrence: Followed, targets: ReadonlyMap<string, readonly TargetInForce[]>): void {
    const { counter, times, definitionID, element, instance } = occurrence;
    if (counter === 'incidents' || times < 0) return;
    if (counter !== 'started') return this.#end(occurrence);
    const version = this.#versions.get(definitionID);
    const ofProcess = version && targets.get(processKey(version));
    // A migrated instance counts as started again.
    if (ofProcess && !this.#open.get(instance.workflowID)?.has(element)) this.#begin(occurrence, ofProcess);
  }

  #begin(occurrence: Followed, targets: readonly TargetInForce[]): void {
    const { nodeID, element, instance } = occurrence;
    const beganAt = beginningOf(occurrence);
    const target = targetAt(targets, nodeID, beganAt);
    if (!target) return;
    const { durationMs } = target;
    const { workflowID } = instance;
    const due: Due = { workflowID, element, dueAt: beganAt + durationMs, durationMs, missed: false };
    this.#add(due);
    this.#begun.add(due);
  }

  #end({ counter, element, at, nodeID, definitionID, instance: { workflowID } }: Followed): void {
    const ofInstance = this.#open.get(workflowID);
    const due = ofInstance?.get(element);
    if (element === ROOT) for (const each of ofInstance?.values() ?? []) this.#forget(each);
    else if (due) this.#forget(due);
    const version = this.#versions.get(definitionID);
    if (!due || !version || due.missed) return;
    const { dueAt, durationMs } = due;
    const count = { ...version, nodeID, durationMs };
    if (at > dueAt) {
      this.#misses.push({ workflowID, element, definitionID, nodeID, durationMs, dueAt });
      this.#counts.push({ ...count, at: dueAt, met: 0, missed: 1 });
    } else if (counter === 'completed') {
      this.#counts.push({ ...count, at, met: 1, missed: 0 });
    }
  }

  #add(due: Due): void {
    const ofInstance = this.#open.get(due.workflowID);
    if (ofInstance) ofInstance.set(due.element, due);
    else this.#open.set(due.workflowID, new Map([[due.element, due]]));
  }

  #forget(due: Due): void {
    this.#open.get(due.workflowID)?.delete(due.element);
    if (!this.#begun.delete(due)) this.#ended.push(due);
  }

  async #write(transaction: Transaction): Promise<number> {
    const begun = [...this.#begun];
    await transaction.query(
      'DELETE FROM target_dues d USING unnest($1::text[], $2::integer[]) AS e(id, element) WHERE d.workflow_id = e.id AND d.element = e.element',
      [this.#ended.map(({ workflowID }) => workflowID), this.#ended.map(({ element }) => element)],
    );
    await transaction.query(
      `INSERT INTO target_dues (workflow_id, element, due_at, duration_ms)
       SELECT id, element, to_timestamp(due / 1000), duration FROM unnest($1::text[], $2::integer[], $3::float8[], $4::bigint[]) AS b(id, element, due, duration)`,
      [
        begun.map(({ workflowID }) => workflowID),
        begun.map(({ element }) => element),
        begun.map(({ dueAt }) => dueAt),
        begun.map(({ durationMs }) => durationMs),
      ],
    );
    await addTargetCounts(transaction, this.#counts);
    return insertMisses(transaction, this.#misses);
  }
}

/** Of what starts. */
function beginningOf({ element, at, instance }: Followed): number {
  return element === ROOT ? instance.countsFrom.getTime() : at;
}

function processKey({ projectID, processID }: { projectID: string; processID: string }): string {
  return `${projectID} ${processID}`;
}
