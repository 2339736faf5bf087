/** Orders and parcels, placed as they are released, with all their workers. */
import { setTimeout as pause } from 'node:timers/promises';
import { placeOrder } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { Random } from '../engine/random/random.js';
import { orderOf } from '../examples/support/orders.js';
import { writeOrders, type PlacedOrder } from '../faults/support/batch.js';
import { Ledger, record } from '../faults/support/ledger.js';
import { runShop } from '../faults/support/shop.js';
import type { HandOuts } from './hand-outs.js';
import { openGates, sendParcel, untilAcknowledged, waitsAtGates, type Label, type Parcel } from './parcels.js';
import type { Violations } from './violations.js';
import type { World } from './world.js';
import type { Database } from '../../store/sql/database.js';

const CALLERS = 8;
const BETWEEN_SIGNALS_MS = 15_000;
const SHARE_OF_ORDERS = 0.25;
/** Every so many numbers there are two parcels at once: one correlated by the number, one by the string of its digits. */
const NUMBERS_BETWEEN_TWINS = 5;
/** Every so many numbers the same parcel is in the strangers' project too. */
const NUMBERS_BETWEEN_STRANGERS = 8;
/** How many parcels are checked before a signal. */
const WITNESSES = 5;
/** Rounds of the strangers' signals count from here, so that one of theirs is known everywhere. */
const FIRST_ROUND_OF_STRANGERS = 1_000_000;

/** Where the strangers are, with the same processes and the same names. */
export const strangers = 'other';

export interface Definitions {
  order: string;
  parcel: string;
  strangersParcel: string;
}

interface LoadOptions {
  definitions: Definitions;
  seed: number;
  handOuts: HandOuts;
}

export class Load {
  readonly ledger = new Ledger();
  readonly placedOrders: PlacedOrder[] = [];
  readonly parcels: Parcel[] = [];
  /** Parcels that were seen at the gates before this round's signal was sent. */
  readonly #witnesses: { parcel: Parcel; round: number }[] = [];
  readonly #working = new AbortController();
  readonly #signalling = new AbortController();
  #released = 0;
  #taken = 0;
  #isComplete = false;
  readonly #approved = new Map<string, boolean>();
  #callers: Promise<unknown> = Promise.resolve();
  #others: Promise<unknown> = Promise.resolve();

  static begin(world: World, { definitions, seed, handOuts }: LoadOptions): Load {
    const load = new Load();
    const shops = world.topology.apis.map((_, index) => world.shop('executor', index));
    const strangersShops = world.topology.apis.map((_, index) => world.shop('executor', index, strangers));
    const shopWorkers = shops.map((shop) => {
      record(shop.client, load.ledger);
      handOuts.record(shop.client);
      return runShop({ shop, approves: (orderID) => load.#approved.get(orderID) === true }, load.#working.signal);
    });
    load.#others = Promise.all([
      ...shopWorkers,
      load.#throwSignals(shops, 0),
      load.#throwSignals(strangersShops, FIRST_ROUND_OF_STRANGERS),
    ]);
    load.#callers = Promise.all(
      Array.from({ length: CALLERS }, (_, index) =>
        load.#call(
          shops[index % shops.length]!,
          strangersShops[index % shops.length]!,
          definitions,
          new Random(seed + index + 1),
        ),
      ),
    );
    return load;
  }

  /** The number of instances that may have been started by now. */
  release(count: number): void {
    this.#released = count;
  }

  /** Waits until every released instance has been started. */
  async finish(): Promise<void> {
    this.#isComplete = true;
    await this.#callers;
  }

  async close(): Promise<void> {
    this.#signalling.abort();
    this.#working.abort();
    await this.#others;
  }

  get summary(): string {
    return `${this.placedOrders.length} orders, ${this.parcels.length} parcels, ${this.ledger.entries.length} acknowledged completions`;
  }

  /** workflowIDs of the parcels of a project. */
  parcelsOf(projectID: string): string[] {
    return this.parcels.filter((parcel) => parcel.projectID === projectID).map(({ workflowID }) => workflowID);
  }

  /** An instance that may still be under way. */
  get latest(): string | undefined {
    return (
      this.parcels.length % 3 === 0
        ? this.parcels.findLast(({ projectID }) => projectID !== strangers)
        : this.placedOrders.at(-1)
    )?.workflowID;
  }

  /** R6, R7, R8, R15: each parcel has had its own message and one signal of its project, and the first that was sent after it had been seen waiting. */
  async checkParcels(store: Database, violations: Violations): Promise<void> {
    const { rows } = await store.query<{ workflowID: string; status: string; paidBy: string; round: number | null }>(
      `SELECT workflow_id AS "workflowID", status, variables ->> 'paidBy' AS "paidBy", (variables ->> 'round')::integer AS round
       FROM instances WHERE workflow_id = ANY($1)`,
      [this.parcels.map(({ workflowID }) => workflowID)],
    );
    const ended = new Map(rows.map((row) => [row.workflowID, row]));
    for (const { id, workflowID, projectID, paidBy } of this.parcels) {
      const row = ended.get(workflowID);
      violations.check('R6', row?.status === 'COMPLETED', () => `${id} in ${projectID} is ${row?.status}`);
      violations.check(
        'R8',
        row?.paidBy === paidBy,
        () => `${id} in ${projectID} was paid by ${row?.paidBy}, not by ${paidBy}`,
      );
      const isOwn =
        typeof row?.round === 'number' &&
        row.round > 0 &&
        row.round >= FIRST_ROUND_OF_STRANGERS === (projectID === strangers);
      violations.check('R15', isOwn, () => `${id} in ${projectID} had the signal of round ${row?.round}`);
    }
    for (const { parcel, round } of this.#witnesses) {
      const had = ended.get(parcel.workflowID)?.round ?? Number.POSITIVE_INFINITY;
      violations.check(
        'R7',
        had <= round,
        () =>
          `${parcel.id} in ${parcel.projectID} waited before the signal of round ${round} was sent, and had that of round ${had}`,
      );
    }
  }

  async #call(shop: Shop, strangersShop: Shop, definitions: Definitions, random: Random): Promise<void> {
    for (;;) {
      if (this.#taken >= this.#released) {
        if (this.#isComplete) return;
        await pause(100);
        continue;
      }
      this.#taken += 1;
      if (random.chance(SHARE_OF_ORDERS)) await this.#placeOrder(shop, definitions.order, this.#taken);
      else await this.#sendParcels(shop, strangersShop, definitions, this.#taken, random);
    }
  }

  async #placeOrder(shop: Shop, definitionID: string, number: number): Promise<void> {
    const written = writeOrders(5)[number % 5]!;
    this.#approved.set(written.orderID, written.kind.approved === true);
    const workflowID = await untilAcknowledged(() =>
      placeOrder(shop, definitionID, orderOf(written.kind, written.orderID)),
    );
    this.placedOrders.push({ ...written, workflowID });
  }

  async #sendParcels(
    shop: Shop,
    strangersShop: Shop,
    { parcel, strangersParcel }: Definitions,
    number: number,
    random: Random,
  ): Promise<void> {
    const id = `parcel-${number}`;
    const labels: Label[] = [{ id, key: number % NUMBERS_BETWEEN_TWINS === 0 ? number : id, paidBy: `payer of ${id}` }];
    if (number % NUMBERS_BETWEEN_TWINS === 0)
      labels.push({ id: `${id}-twin`, key: String(number), paidBy: `payer of the twin of ${id}` });
    const theirs =
      number % NUMBERS_BETWEEN_STRANGERS === 0
        ? labels.map((label) => ({ ...label, paidBy: `strange ${label.paidBy}` }))
        : [];
    const sent = [
      ...labels.map((label) => sendParcel(shop, parcel, label, random)),
      ...theirs.map((label) => sendParcel(strangersShop, strangersParcel, label, random)),
    ];
    this.parcels.push(...(await Promise.all(sent)));
  }

  async #throwSignals(shops: readonly Shop[], firstRound: number): Promise<void> {
    for (let round = firstRound + 1; !this.#signalling.signal.aborted; round += 1) {
      const shop = shops[round % shops.length]!;
      const candidates = this.parcels.filter(({ projectID }) => projectID === shop.projectID).slice(-WITNESSES);
      for (const parcel of candidates) if (await waitsAtGates(shop, parcel)) this.#witnesses.push({ parcel, round });
      await openGates(shop, round);
      await pause(BETWEEN_SIGNALS_MS, undefined, { signal: this.#signalling.signal }).catch(() => undefined);
    }
  }
}
