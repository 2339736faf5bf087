/** A cancellation asked for in Temporal: it becomes a command, because a park is written to its end. */
import { call } from './activities.js';

export class Cancellation {
  /** @param requested whether it was asked for and the store does not know of it */
  constructor(private requested: boolean) {}

  request(): void {
    this.requested = true;
  }

  get isRequested(): boolean {
    return this.requested;
  }

  async writeCommand(instance: { projectID: string; workflowID: string }): Promise<void> {
    await call('requestCancellation', instance, 'canceled in Temporal');
    this.requested = false;
  }
}
