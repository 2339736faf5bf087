/** Orders and parcels, placed as they are released, with everybody who works on them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { placeOrder } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { Random } from '../engine/random/random.js';
import { orderOf } from '../examples/support/orders.js';
import { writeOrders, type PlacedOrder } from '../faults/support/batch.js';
import { Ledger, record } from '../faults/support/ledger.js';
import { runShop } from '../faults/support/shop.js';
import { deployParcels, openGates, sendParcel, untilAcknowledged, type Parcel } from './parcels.js';
import type { World } from './world.js';

const CALLERS = 6;
const BETWEEN_SIGNALS_MS = 15_000;

interface Definitions {
  order: string;
  parcel: string;
}

export class Load {
  readonly ledger = new Ledger();
  readonly placedOrders: PlacedOrder[] = [];
  readonly #parcels: Parcel[] = [];
  readonly #working = new AbortController();
  readonly #signalling = new AbortController();
  #released = 0;
  #taken = 0;
  #isComplete = false;
  readonly #approved = new Map<string, boolean>();
  #callers: Promise<unknown> = Promise.resolve();
  #others: Promise<unknown> = Promise.resolve();

  static async begin(world: World, { order, editor, seed }: { order: string; editor: Shop; seed: number }): Promise<Load> {
    const load = new Load();
    const definitions = { order, parcel: await deployParcels(editor) };
    const shops = world.topology.apis.map((_, index) => world.shop('executor', index));
    const shopWorkers = shops.map((shop) => {
      record(shop.client, load.ledger);
      return runShop({ shop, approves: (orderID) => load.#approved.get(orderID) === true }, load.#working.signal);
    });
    load.#others = Promise.all([...shopWorkers, load.#throwSignals(shops)]);
    load.#callers = Promise.all(Array.from({ length: CALLERS }, (_, index) => load.#call(shops[index % shops.length]!, definitions, new Random(seed + index + 1))));
    return load;
  }

  /** So many instances may have been started by now. */
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

  get businessIDs(): string[] {
    return [...this.placedOrders.map(({ orderID }) => orderID), ...this.#parcels.map(({ id }) => id)];
  }

  summary(): string {
    return `${this.placedOrders.length} orders, ${this.#parcels.length} parcels, ${this.ledger.entries.length} acknowledged completions`;
  }

  /** Each message has been taken by its parcel, each signal at most once by each, each timer not before its time. */
  async expectParcelsArrived(store: Pool): Promise<void> {
    const { rows } = await store.query<{ id: string; status: string; paidBy: string; round: number | null }>(
      `SELECT business_id AS id, status, variables ->> 'paidBy' AS "paidBy", (variables ->> 'round')::integer AS round
       FROM instances WHERE business_id = ANY($1)`,
      [this.#parcels.map(({ id }) => id)],
    );
    expect(rows.filter(({ id, status, paidBy, round }) => status !== 'COMPLETED' || paidBy !== id || round === null)).toEqual([]);
    expect(rows.length).toBe(this.#parcels.length);
  }

  async #call(shop: Shop, { order, parcel }: Definitions, random: Random): Promise<void> {
    for (;;) {
      if (this.#taken >= this.#released) {
        if (this.#isComplete) return;
        await pause(100);
        continue;
      }
      this.#taken += 1;
      const number = this.#taken;
      if (random.chance(0.5)) {
        this.#parcels.push(await sendParcel(shop, parcel, `parcel-${number}`, random));
        continue;
      }
      const [written] = writeOrders(5).slice(number % 5);
      if (!written) continue;
      this.#approved.set(written.orderID, written.kind.approved === true);
      const workflowID = await untilAcknowledged(() => placeOrder(shop, order, orderOf(written.kind, written.orderID)));
      this.placedOrders.push({ ...written, workflowID });
    }
  }

  async #throwSignals(shops: readonly Shop[]): Promise<void> {
    for (let round = 1; !this.#signalling.signal.aborted; round += 1) {
      await openGates(shops[round % shops.length]!, round);
      await pause(BETWEEN_SIGNALS_MS, undefined, { signal: this.#signalling.signal }).catch(() => undefined);
    }
  }
}
