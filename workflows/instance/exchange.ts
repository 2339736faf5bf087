/**
 * Requests of an instance to the store. All of them are one kind of activity, and the workflow follows the answer (see
 * `Exchange`). An instance whose requests fail can still be canceled: its rows are ended without it.
 */
import type { Exchange, ExchangeAnswer, ExchangeRequest } from '@perdure/engine/contract/step-commit.js';
import { attemptWithRetries, Retries } from '../activities.js';
import type { TaskLoad } from './task-load.js';
import type { WayOut } from './way-out.js';

export interface Exchanger {
  readonly load: TaskLoad;
  readonly wayOut: WayOut;
}

export type FollowedAnswer = Exclude<ExchangeAnswer, { kind: 'notEnded' }>;

/**
 * Asks until the store answers. The workflow must not call anything else in the meantime.
 * @param summary text shown for the activity in the Temporal UI
 * @throws RunIsFull if the store has failed for days
 */
export async function exchange(
  exchanger: Exchanger,
  asked: ExchangeRequest,
  summary: string,
  attempts = new Attempts(exchanger),
): Promise<FollowedAnswer> {
  for (;;) {
    const answer = await attemptWithRetries(exchanger.load, 'exchange', attempts.request(asked), summary);
    if (answer.ok && answer.value.kind !== 'notEnded') return answer.value;
    await attempts.wait();
  }
}

/**
 * The attempts of one request. The way out is taken only if an attempt has failed since the cancel arrived: after an outage,
 * the request succeeds, and the instance handles the cancel itself.
 */
export class Attempts {
  readonly #wayOut: WayOut;
  readonly #retries: Retries;
  /** Whether a cancel was known when the last attempt began. */
  #cancelWasKnown = false;
  #takesWayOut = false;

  constructor({ load, wayOut }: Exchanger) {
    this.#wayOut = wayOut;
    this.#retries = new Retries(load, 'exchange');
  }

  /** The request of the next attempt. */
  request(asked: ExchangeRequest): Exchange {
    const { projectID } = this.#wayOut.of;
    return { projectID, ...(this.#takesWayOut ? this.#wayOut.request : asked) };
  }

  /** Waits after a failed attempt. @throws like `exchange` */
  async wait(): Promise<void> {
    await this.#retries.wait();
    this.#takesWayOut = !this.#takesWayOut && this.#cancelWasKnown;
    this.#cancelWasKnown = this.#wayOut.isWanted;
  }
}
