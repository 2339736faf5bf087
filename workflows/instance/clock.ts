/**
 * The time of an instance. Within a workflow task, Temporal's clock advances by the durations of activities, not by the
 * time between them. A commit that lingered returns its duration. Clocks of workers may differ and are not read.
 */
export class Clock {
  private latest = 0;

  /** The time in epoch milliseconds, which never decreases. */
  now(): number {
    return (this.latest = Math.max(this.latest, Date.now()));
  }

  /** Advances the clock to at least `time`. */
  advanceTo(time: number): void {
    this.latest = Math.max(this.latest, time);
  }
}
