/** A cancellation requested in Temporal becomes a command, so that a step commit in progress is completed. */
import { call } from '../activities.js';
import type { TaskLoad } from './task-load.js';

export class Cancellation {
  /** @param requested whether it was requested and the store does not know about it */
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
