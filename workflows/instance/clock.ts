/**
 * The time of an instance. Within a workflow task, Temporal's clock advances by the durations of activities, not by the
 * time between them. A commit that lingered returns its duration. Clocks of workers may differ and are not read.
 *
 * If Temporal replaces a workflow task while it is being worked on, a replay sees the time of the later one. What a step
 * computes is corrected by its recorded inputs. Whether the instance waits depends on `reached` alone: on recorded times, and
 * on the beginning of the workflow task after a wait.
 */
export class Clock {
  private latest = 0;

  /** The time in epoch milliseconds. Never before `reached`. */
  now(): number {
    return Math.max(this.latest, Date.now());
  }

  /** The time, in epoch milliseconds, up to which timers of the process are due. */
  get reached(): number {
    return this.latest;
  }

  /** Advances `reached` to at least `time`. */
  advanceTo(time: number): void {
    this.latest = Math.max(this.latest, time);
  }
}
