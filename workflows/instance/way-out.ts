/** Ends an instance whose requests to the store fail: by a cancel that it has received and cannot handle. */
import type { ExchangeRequest } from '@perdure/engine/contract/step-commit.js';
import type { Cancellation } from './cancellation.js';
import type { Inbox } from './inbox.js';

export class WayOut {
  constructor(
    private readonly inbox: Inbox,
    private readonly cancellation: Cancellation,
    /** The instance. */
    readonly of: { readonly projectID: string; readonly workflowID: string },
  ) {}

  /** Whether a cancel waits to be handled. */
  get isWanted(): boolean {
    return this.cancellation.isRequested || this.inbox.hasCancel;
  }

  get request(): ExchangeRequest {
    return { kind: 'end', workflowID: this.of.workflowID, requested: this.cancellation.isRequested };
  }
}
