/**
 * Parallel multiple start events (BPMN 2.0.2 table 10.84): an instance is created when all triggers of the event have
 * arrived. Arrivals are buffered like every publication, until their time to live ends: a message for one instance, a
 * signal once for each such event. Messages belong together if their correlations are equal.
 */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { firstRow, rows, type Transaction } from '../sql/database.js';
import { derivedUUID } from '../sql/ids.js';
import { noteStart, takeByStart } from '../publications/ended-publications.js';
import { variablesOf, type KeptMessage } from './claims.js';
import { publicationKeys, type PublicationType } from './correlation.js';
import type { KeptSignal } from './signals.js';
import { startInstance } from '../instances/start.js';
import { noteOverflow } from '../processes/overflow.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';

/** A parallel multiple start event, and which of its triggers has arrived. */
export interface ParallelStart {
  definitionID: string;
  processID: string;
  node: string;
  trigger: number;
}

/**
 * `busy`: another match holds a required channel; the publication stays due. `incomplete`: buffered until the others
 * arrive.
 */
export type ParallelStarted = 'started' | 'incomplete' | 'refused' | 'busy';

interface Trigger {
  trigger: number;
  type: PublicationType;
  channel: string;
}

interface Arrived {
  id: string;
  trigger: number;
  type: PublicationType;
  variables: Variables;
  /** Undefined for a signal, and for a message without a correlation. */
  correlation?: Json | undefined;
}

/** Messages of one trigger that a signal is compared with, oldest first. */
const CANDIDATES = 1_000;

/** Creates the instance if `publication`, whose channel the transaction has locked, is the last trigger to arrive. */
export async function startTogether(
  transaction: Transaction,
  publication: KeptMessage | KeptSignal,
  start: ParallelStart,
): Promise<ParallelStarted> {
  const triggers = await rows<Trigger>(
    transaction,
    'SELECT trigger, type, channel FROM start_subscriptions WHERE definition_id = $1 AND node_id = $2 ORDER BY trigger',
    [start.definitionID, start.node],
  );
  if (!(await lockChannels(transaction, publication, triggers))) return 'busy';
  const search = new Search(transaction, publication, start, triggers);
  const arrived = await search.complete();
  if (!arrived) return 'incomplete';
  const started = await startInstance(transaction, {
    projectID: publication.projectID,
    definitionID: start.definitionID,
    workflowID: derivedUUID(...arrived.map(({ id }) => id), start.definitionID, start.node),
    variables: {},
    startedBy: publication.publishedBy ?? undefined,
    startNode: start.node,
    payload: Object.assign({}, ...arrived.map(({ variables }) => variables)) as Variables,
    traceContext: publication.traceContext ?? undefined,
    relayed: true,
  });
  if (started.kind === 'refused') {
    if (started.code === 'LIMIT_REACHED') await noteOverflow(transaction, publication.projectID, start.processID);
    return 'refused';
  }
  await useUp(transaction, arrived, start, started.instance.workflowID);
  return 'started';
}

/** Does not wait: two matches, each holding a channel and waiting for the other's, would deadlock. */
async function lockChannels(
  transaction: Transaction,
  { projectID, channel }: { projectID: string; channel: string },
  triggers: readonly Trigger[],
): Promise<boolean> {
  const others = [...new Set(triggers.map((trigger) => trigger.channel))].filter((other) => other !== channel);
  if (others.length === 0) return true;
  const row = await firstRow<{ locked: boolean }>(
    transaction,
    "SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || other, 0))) AS locked FROM unnest($2::text[]) AS other",
    [projectID, others],
  );
  return row!.locked;
}

/** Searches for one publication per trigger, in a transaction that has locked their channels. */
class Search {
  readonly #transaction: Transaction;
  readonly #publication: KeptMessage | KeptSignal;
  readonly #start: ParallelStart;
  readonly #triggers: readonly Trigger[];

  constructor(
    transaction: Transaction,
    publication: KeptMessage | KeptSignal,
    start: ParallelStart,
    triggers: readonly Trigger[],
  ) {
    this.#transaction = transaction;
    this.#publication = publication;
    this.#start = start;
    this.#triggers = triggers;
  }

  /** One publication per trigger, in the order of the triggers; undefined while any is missing. */
  async complete(): Promise<Arrived[] | undefined> {
    const own = await this.#own();
    const signals = await this.#signals(own);
    if (!signals) return undefined;
    const messages = await this.#messages(own);
    return messages && [...signals, ...messages].toSorted((a, b) => a.trigger - b.trigger);
  }

  async #own(): Promise<Arrived> {
    const { id } = this.#publication;
    const variables = await variablesOf(this.#transaction, this.#publication);
    const { trigger, type } = this.#triggers.find((each) => each.trigger === this.#start.trigger)!;
    const correlation =
      'hasCorrelation' in this.#publication && this.#publication.hasCorrelation
        ? this.#publication.correlation
        : undefined;
    return { id, trigger, type, variables, correlation };
  }

  async #signals(own: Arrived): Promise<Arrived[] | undefined> {
    const found: Arrived[] = own.type === 'signal' ? [own] : [];
    for (const trigger of this.#triggers) {
      if (trigger.type !== 'signal' || trigger.trigger === own.trigger) continue;
      const [oldest] = await this.#kept(trigger, found, undefined, 1);
      if (!oldest) return undefined;
      found.push(oldest);
    }
    return found;
  }

  /** Those that correlate with the arrived message; for a signal, the oldest complete set. */
  async #messages(own: Arrived): Promise<Arrived[] | undefined> {
    if (own.type === 'message') return this.#equal([own], own.correlation);
    const first = this.#triggers.find(({ type }) => type === 'message');
    if (!first) return [];
    for (const candidate of await this.#any(first)) {
      const found = await this.#equal([candidate], candidate.correlation);
      if (found) return found;
    }
    return undefined;
  }

  async #equal(found: Arrived[], correlation: Json | undefined): Promise<Arrived[] | undefined> {
    for (const trigger of this.#triggers) {
      if (trigger.type !== 'message' || found.some((arrived) => arrived.trigger === trigger.trigger)) continue;
      const kept = await this.#kept(trigger, found, correlation, CANDIDATES);
      const equal = kept.find((candidate) => isEqual(candidate.correlation, correlation));
      if (!equal) return undefined;
      found.push(equal);
    }
    return found;
  }

  /** Messages of a trigger with any correlation. */
  #any({ trigger, type, channel }: Trigger): Promise<Arrived[]> {
    return this.#read({ trigger, type }, 'p.channel = $3', channel, [], CANDIDATES);
  }

  #kept(
    { trigger, type, channel }: Trigger,
    taken: readonly Arrived[],
    correlation: Json | undefined,
    limit: number,
  ): Promise<Arrived[]> {
    return this.#read({ trigger, type }, 'p.keys = $3::text[]', publicationKeys(channel, correlation), taken, limit);
  }

  /** Publications that were buffered at the same time as the already selected ones. */
  async #read(
    { trigger, type }: { trigger: number; type: PublicationType },
    which: string,
    value: string | string[],
    taken: readonly Arrived[],
    limit: number,
  ): Promise<Arrived[]> {
    const found = await rows<{ id: string; variables: Variables; hasCorrelation: boolean; correlation: Json }>(
      this.#transaction,
      `SELECT p.id, p.variables, p.correlation IS NOT NULL AS "hasCorrelation", p.correlation FROM publications p
       WHERE ${which} AND p.project_id = $2 AND p.claimed_by IS NULL AND p.id <> ALL($4::uuid[])
         AND NOT EXISTS (SELECT 1 FROM publications t WHERE t.id = ANY($4::uuid[]) AND (t.expires_at < p.published_at OR p.expires_at < t.published_at))
         AND NOT EXISTS (SELECT 1 FROM signal_deliveries g WHERE g.publication_id = p.id AND g.workflow_id = $1)
       ORDER BY p.position LIMIT ${limit}`,
      [usedBy(this.#start), this.#publication.projectID, value, [this.#publication.id, ...taken.map(({ id }) => id)]],
    );
    return found.map(({ id, variables, hasCorrelation, correlation }) => ({
      id,
      trigger,
      type,
      variables,
      correlation: hasCorrelation ? correlation : undefined,
    }));
  }
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);
}

/** Messages are taken. Usage of a signal is recorded with the instances that it has reached. */
async function useUp(
  transaction: Transaction,
  arrived: readonly Arrived[],
  start: ParallelStart,
  workflowID: string,
): Promise<void> {
  const idsOf = (type: PublicationType) => arrived.filter((each) => each.type === type).map(({ id }) => id);
  const { definitionID, node } = start;
  await takeByStart(transaction, idsOf('message'), { workflowID, definitionID, node });
  await noteStart(transaction, idsOf('signal'), { workflowID, definitionID });
  await transaction.query(
    'INSERT INTO signal_deliveries (publication_id, workflow_id) SELECT unnest($1::uuid[]), $2 ON CONFLICT DO NOTHING',
    [idsOf('signal'), usedBy(start)],
  );
}

/** Represents the start event among the instances reached by a signal; no instance has such an id. */
function usedBy({ processID, node }: ParallelStart): string {
  return `start ${node} of ${processID}`;
}
