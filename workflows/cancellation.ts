/** A cancellation asked for in Temporal: it becomes a command, because a park is written to its end. */
import { call } from './activities.js';
import type { TaskLoad } from './task-load.js';

export class Cancellation {
  /** @param requested whether it was asked for and the store does not know of it */
  constructor(private requested: boolean) {}

  request(): void {
    this.requested = true;
  }

  get isRequested(): boolean {
    return this.requested;
  }

  async writeCommand(load: TaskLoad, instance: { projectID: string; workflowID: string }): Promise<void> {
    await call(load, 'requestCancellation', instance, 'canceled in Temporal');
    this.requested = false;
  }
}
