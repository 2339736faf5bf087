/**
 * The time of an instance. Within a workflow task Temporal's clock advances by what activities took, not by what passed
 * between them; a commit that has lingered says how long it took. Clocks of workers, which may differ, are not read.
 */
export class Clock {
  private latest = 0;

  /** Epoch milliseconds; never earlier than before. */
  now(): number {
    return (this.latest = Math.max(this.latest, Date.now()));
  }

  /** It is at least this late. */
  advanceTo(time: number): void {
    this.latest = Math.max(this.latest, time);
  }
}
