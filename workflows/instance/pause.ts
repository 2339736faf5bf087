/**
 * The pause of an instance as seen by its workflow. No instance is notified when a pause starts: the store refuses a
 * step and says why. On resume, the refused ones are woken. A wake-up names the refusal that it revokes, because it can
 * arrive before the refusal.
 */

/** Wake-ups that are remembered. Only the newest can be for a refusal that has not arrived. */
const MAX_WAKE_UPS = 100;

export class Pause {
  /** Refusals that were revoked, oldest first. */
  private readonly revoked = new Set<string>();
  /** The last refusal, which has no name if a command will end it; undefined if none is in effect. */
  private refusal: { name: string | undefined } | undefined;

  /** @param seen whether the instance was paused when it last tried to continue */
  constructor(private seen: boolean) {}

  /** Allows the step that was refused to be tried again. */
  wake(refusal: string): void {
    this.revoked.add(refusal);
    const [oldest] = this.revoked;
    if (this.revoked.size > MAX_WAKE_UPS) this.revoked.delete(oldest!);
  }

  /** Whether trying a step is pointless: the store has refused one, and the refusal has not been revoked. */
  get stands(): boolean {
    return this.refusal !== undefined && !(this.refusal.name !== undefined && this.revoked.has(this.refusal.name));
  }

  /** Whether the next step in which something moves is the first one after a pause. */
  get isOver(): boolean {
    return this.seen && !this.stands;
  }

  /** Whether there is evidence that the instance is, or was, paused since its last step in which something moved. */
  get wasSeen(): boolean {
    return this.seen;
  }

  /** The store refused the step. @param refusal its name in the wake-up; absent if a command will follow instead */
  refuse(refusal: string | undefined): void {
    this.refusal = { name: refusal };
    this.seen = true;
  }

  /** A step was committed: one during the pause, or one in which things move again. */
  stepTaken(paused: boolean): void {
    this.seen = paused;
    if (!paused) this.refusal = undefined;
  }
}
