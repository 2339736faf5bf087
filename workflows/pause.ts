/**
 * The pause of an instance as its workflow knows it. Nobody is told of a pause when it begins: the store does not take a
 * step and says why. When the pause ends, those that were refused are woken.
 */
export class Pause {
  /** How often the instance has been woken. */
  private wakes = 0;
  /** How often it had been woken when the store refused a step; undefined while no refusal stands. */
  private refusedAt: number | undefined;

  /** @param seen whether the instance was paused when it last tried to go on */
  constructor(private seen: boolean) {}

  /** Lets the next step be tried. */
  wake(): void {
    this.wakes += 1;
  }

  /** Whether trying a step is pointless: the store has refused one, and nobody has woken the instance since. */
  get stands(): boolean {
    return this.refusedAt === this.wakes;
  }

  /** Whether the next step in which something moves is the first one after a pause. */
  get isOver(): boolean {
    return this.seen && !this.stands;
  }

  /** Whether something has shown that the instance is, or was, paused since its last step in which something moved. */
  get wasSeen(): boolean {
    return this.seen;
  }

  /** Call it before a step is written, and give what it answers to `refuse`: whoever wakes the instance meanwhile is not overheard. */
  attempt(): number {
    return this.wakes;
  }

  /** The store did not take the step. */
  refuse(attempt: number): void {
    this.refusedAt = attempt;
    this.seen = true;
  }

  /** A step was written: one during the pause, or one in which things move again. */
  settle(paused: boolean): void {
    this.seen = paused;
    if (!paused) this.refusedAt = undefined;
  }
}
