/** Room for the commands of one step: the rest waits for the next one. */

/**
 * Together with the interpreter's budget this keeps a step far below the ten seconds after which a thread that computes is ended.
 */
const MAX_COMMANDS = 200;
const MAX_STEP_BYTES = 1024 * 1024;

export class Room {
  private commands = 0;
  private bytes = 0;

  /** Takes room for one command; the first one always fits. */
  take(bytes: number): boolean {
    const fits = this.commands === 0 || (this.commands < MAX_COMMANDS && this.bytes + bytes <= MAX_STEP_BYTES);
    if (!fits) return false;
    this.commands += 1;
    this.bytes += bytes;
    return true;
  }
}
