/**
 * The pause of an instance as seen by its workflow. No instance is notified when a pause starts: the store refuses a
 * step and says why. On resume, the refused ones are woken.
 */
export class Pause {
  /** How often the instance has been woken. */
  private wakes = 0;
  /** How often it had been woken when the store refused a step; undefined if no refusal is in effect. */
  private refusedAt: number | undefined;

  /** @param seen whether the instance was paused when it last tried to continue */
  constructor(private seen: boolean) {}

  /** Allows the next step to be tried. */
  wake(): void {
    this.wakes += 1;
  }

  /** Whether trying a step is pointless: the store has refused one, and the instance has not been woken since. */
  get stands(): boolean {
    return this.refusedAt === this.wakes;
  }

  /** Whether the next step in which something moves is the first one after a pause. */
  get isOver(): boolean {
    return this.seen && !this.stands;
  }

  /** Whether there is evidence that the instance is, or was, paused since its last step in which something moved. */
  get wasSeen(): boolean {
    return this.seen;
  }

  /** Call it before a commit, and pass the result to `refuse`, so that a wake-up in between is not missed. */
  attempt(): number {
    return this.wakes;
  }

  /** The store refused the step. */
  refuse(attempt: number): void {
    this.refusedAt = attempt;
    this.seen = true;
  }

  /** A step was committed: one during the pause, or one in which things move again. */
  stepTaken(paused: boolean): void {
    this.seen = paused;
    if (!paused) this.refusedAt = undefined;
  }
}
