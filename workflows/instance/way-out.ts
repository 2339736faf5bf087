/** Ends an instance whose requests to the store fail: by a cancel that it has received and cannot handle. */
import type { Exchange } from '@perdure/engine/contract/step-commit.js';
import type { Cancellation } from './cancellation.js';
import type { Inbox } from './inbox.js';

export class WayOut {
  constructor(
    private readonly inbox: Inbox,
    private readonly cancellation: Cancellation,
    private readonly instance: { projectID: string; workflowID: string },
  ) {}

  /** Whether a cancel waits to be handled. */
  get isWanted(): boolean {
    return this.cancellation.isRequested || this.inbox.hasCancel;
  }

  get request(): Exchange {
    return { kind: 'end', ...this.instance, requested: this.cancellation.isRequested };
  }
}
