/**
 * One turn of a subscription: delivers its events until none is due, or until other subscriptions should have a turn. It
 * passes events that are not wanted page by page. A receiver that takes nothing keeps it for one attempt: the next turn has
 * the rest.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { FailedDelivery } from '../../store/event-subscriptions/outcomes.js';
import {
  advance,
  endTurn,
  type Capacity,
  type DueEvent,
  type Receiver,
  type SubscriptionTurn,
} from '../../store/event-subscriptions/turns.js';
import type { StoredEvent } from '../../store/events/feed.js';
import type { CountDeliveries } from './metrics.js';
import type { Database } from '../../store/sql/database.js';

export interface TurnOptions {
  store: Database;
  logger: Logger;
  count: CountDeliveries;
  /** @returns why the delivery failed, or undefined if it succeeded */
  send(projectID: string, receiver: Receiver, event: StoredEvent): Promise<string | undefined>;
}

/** Requests at once to the receiver of a subscription. */
export const MAX_DELIVERIES_AT_ONCE = 8;
/** The part of these requests for events whose delivery has failed before, while other events are due. */
const MAX_REPEATED = 4;
/** Duration of a turn. Requests under way are then finished, and no other begins. */
const MAX_TURN_MS = 60_000;
/** After this time, a turn that has found nothing to deliver makes way for other subscriptions. */
const MAX_SEARCH_MS = 5_000;
/** Between two pages of the feed, to leave the database to others. */
const PAUSE_BETWEEN_PAGES_MS = 20;
const PAUSE_AFTER_FAILURE_MS = 500;
/** Until then no other process delivers for this subscription, so outcomes can still be recorded. */
const OUTCOMES_KEPT_MS = 30_000;

/** Never throws. An event whose outcome is not recorded is delivered again. */
export async function runTurn(options: TurnOptions, turn: SubscriptionTurn, stopping: AbortSignal): Promise<void> {
  const deliveries = new Deliveries(options, turn, stopping);
  const began = performance.now();
  const isAfter = (milliseconds: number) => stopping.aborted || performance.now() >= began + milliseconds;
  try {
    do {
      const isOver = isAfter(MAX_TURN_MS) || deliveries.allFail;
      if (!(await deliveries.advance(isOver ? 0 : MAX_DELIVERIES_AT_ONCE))) return;
      await deliveries.untilNext();
    } while (deliveries.hasMore || (deliveries.mayFindMore && !isAfter(MAX_SEARCH_MS)));
    await endTurn(options.store, turn);
  } catch (error) {
    options.logger.warn(
      { subscriptionID: turn.subscriptionID, error: errorMessage(error) },
      'deliveries of events could not be recorded; they are repeated',
    );
  }
}

class Deliveries {
  readonly #underWay = new Map<string, { isRepeated: boolean; ended: Promise<void> }>();
  #delivered: string[] = [];
  #failed: FailedDelivery[] = [];
  #hasDelivered = false;
  #hasFailed = false;
  /** Whether the feed may have events for the requests that are free. */
  mayFindMore = false;

  constructor(
    private readonly options: TurnOptions,
    private readonly turn: SubscriptionTurn,
    private readonly stopping: AbortSignal,
  ) {}

  get allFail(): boolean {
    return this.#hasFailed && !this.#hasDelivered;
  }

  get hasMore(): boolean {
    return this.#underWay.size + this.#delivered.length + this.#failed.length > 0;
  }

  /**
   * Records the outcomes so far and begins the next deliveries.
   * @returns false if the turn is lost
   */
  async advance(most: number): Promise<boolean> {
    const outcomes = { delivered: [...this.#delivered], failed: [...this.#failed] };
    const capacity = this.#capacity(most);
    const next = await this.#untilRecorded(() => advance(this.options.store, this.turn, outcomes, capacity));
    this.#delivered = this.#delivered.slice(outcomes.delivered.length);
    this.#failed = this.#failed.slice(outcomes.failed.length);
    if (next === undefined) return false;
    this.options.count('delivered', outcomes.delivered.length);
    this.options.count('failed', outcomes.failed.length - next.dead.length);
    this.options.count('dead', next.dead.length);
    for (const event of next.events) this.#begin(next.receiver, event);
    this.mayFindMore = next.mayHaveMore;
    return true;
  }

  /** Waits until a delivery has an outcome, or pauses while the feed may have more; not at all if neither is the case. */
  async untilNext(): Promise<void> {
    if (this.mayFindMore) await delay(PAUSE_BETWEEN_PAGES_MS);
    else if (this.#underWay.size > 0 && this.#delivered.length + this.#failed.length === 0)
      await Promise.race([...this.#underWay.values()].map(({ ended }) => ended));
  }

  #capacity(most: number): Capacity {
    const repeated = [...this.#underWay.values()].filter(({ isRepeated }) => isRepeated).length;
    return {
      underWay: [...this.#underWay.keys()],
      room: Math.max(0, most - this.#underWay.size),
      roomForRepeated: Math.max(0, MAX_REPEATED - repeated),
    };
  }

  #begin(receiver: Receiver, event: DueEvent): void {
    const { position } = event;
    const ended = this.options.send(this.turn.projectID, receiver, event).then((error) => {
      if (error === undefined) this.#delivered.push(position);
      else this.#failed.push({ position, error });
      this.#hasDelivered ||= error === undefined;
      this.#hasFailed ||= error !== undefined;
      this.#underWay.delete(position);
    });
    this.#underWay.set(position, { isRepeated: event.isRepeated, ended });
  }

  async #untilRecorded<T>(record: () => Promise<T>): Promise<T> {
    const end = performance.now() + OUTCOMES_KEPT_MS;
    for (;;) {
      try {
        return await record();
      } catch (error) {
        if (this.stopping.aborted || performance.now() >= end) throw error;
        await delay(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }
}
