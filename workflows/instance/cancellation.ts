/** A cancellation requested in Temporal becomes a command, so that a step commit in progress is completed. */
export class Cancellation {
  /** @param requested whether it was requested and the store does not know about it */
  constructor(private requested: boolean) {}

  request(): void {
    this.requested = true;
  }

  get isRequested(): boolean {
    return this.requested;
  }

  /** The store has the command. */
  written(): void {
    this.requested = false;
  }
}
