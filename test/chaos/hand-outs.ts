/** Which jobs workers were handed, and when, as they saw it. */
import type { PerdureClient } from '@perdure/client';
import type { Pause } from './operators/pauser.js';
import type { Moments, Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

interface HandOut {
  executionKey: string;
  workflowID: string;
  /** When it expires, in the time of the database. */
  leaseUntil: number;
  /** Moments of this process. */
  asked: number;
  answered: number;
}

/** The lease that workers request: 30 seconds. */
const LEASE_MS = 30_000;
/** Times are shown in whole milliseconds. */
const ROUNDING_MS = 1;

export class HandOuts {
  readonly #handOuts: HandOut[] = [];

  constructor(private readonly moments: Moments) {}

  /** Writes down what this client's polls bring. */
  record(client: PerdureClient): void {
    const asked = new Map<string, number>();
    client.use({
      onRequest: ({ schemaPath, id }) => {
        if (schemaPath.endsWith('/external-jobs/poll')) asked.set(id, this.moments.next());
      },
      onResponse: async ({ response, id }) => {
        const since = asked.get(id);
        asked.delete(id);
        if (since === undefined || response.status !== 200) return;
        const jobs = (await response.clone().json()) as {
          executionKey: string;
          workflowID: string;
          lockExpiresAt: string;
        }[];
        const answered = this.moments.next();
        this.#handOuts.push(
          ...jobs.map(({ executionKey, workflowID, lockExpiresAt }) => ({
            executionKey,
            workflowID,
            leaseUntil: Date.parse(lockExpiresAt),
            asked: since,
            answered,
          })),
        );
      },
      onError: ({ id }) => void asked.delete(id),
    });
  }

  get summary(): string {
    return `${this.#handOuts.length} hand-outs`;
  }

  /** R5: no worker was given a job while another one's lease on it ran. */
  checkLeases(violations: Violations): void {
    const byJob = new Map<string, HandOut[]>();
    for (const handOut of this.#handOuts)
      byJob.set(handOut.executionKey, [...(byJob.get(handOut.executionKey) ?? []), handOut]);
    for (const [executionKey, handOuts] of byJob) {
      const inOrder = handOuts.toSorted((a, b) => a.leaseUntil - b.leaseUntil);
      for (const [index, { leaseUntil }] of inOrder.entries()) {
        const before = inOrder[index - 1];
        const early = before && before.leaseUntil - (leaseUntil - LEASE_MS);
        violations.check(
          'R5',
          early === undefined || early <= ROUNDING_MS,
          () => `job ${executionKey} was leased again ${early} ms before its lease had expired`,
        );
      }
    }
  }

  /** R9: no worker was given a job of a paused instance, or of its descendants. */
  async checkPauses(store: Database, pauses: readonly Pause[], violations: Violations): Promise<void> {
    for (const { workflowID, from, to } of pauses) {
      const meanwhile = this.#handOuts.filter(({ asked, answered }) => asked > from && answered < to);
      if (meanwhile.length === 0) continue;
      const { rows } = await store.query<{ id: string }>(
        `WITH RECURSIVE below AS (
           SELECT workflow_id FROM instances WHERE workflow_id = $1
           UNION ALL SELECT i.workflow_id FROM instances i JOIN below b ON i.parent_workflow_id = b.workflow_id
         ) SELECT workflow_id AS id FROM below`,
        [workflowID],
      );
      const paused = new Set(rows.map(({ id }) => id));
      for (const { executionKey, workflowID: of } of meanwhile)
        violations.check('R9', !paused.has(of), () => `job ${executionKey} was leased while ${workflowID} was paused`);
    }
  }
}
