/**
 * The time of an instance. Within a workflow task Temporal's clock advances by what activities took, not by what passed
 * between them; a commit that has lingered says what time it is.
 */
export class Clock {
  private latest = 0;

  /** Epoch milliseconds; never earlier than before. */
  now(): number {
    return (this.latest = Math.max(this.latest, Date.now()));
  }

  hear(now: number | undefined): void {
    if (now !== undefined) this.latest = Math.max(this.latest, now);
  }
}
