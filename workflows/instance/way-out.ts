/** The way out of an instance whose calls fail: a cancel that it has received and cannot handle. */
import type { ActivityInput } from '../activities.js';
import type { Cancellation } from './cancellation.js';
import type { Inbox } from './inbox.js';

export class WayOut {
  readonly #inbox: Inbox;
  readonly #cancellation: Cancellation;
  readonly #instance: { projectID: string; workflowID: string };

  constructor(inbox: Inbox, cancellation: Cancellation, instance: { projectID: string; workflowID: string }) {
    this.#inbox = inbox;
    this.#cancellation = cancellation;
    this.#instance = instance;
  }

  /** Whether a cancel waits to be handled. */
  get isWanted(): boolean {
    return this.#cancellation.isRequested || this.#inbox.hasCancel;
  }

  get request(): ActivityInput<'endCanceled'> {
    return { ...this.#instance, requested: this.#cancellation.isRequested };
  }
}
