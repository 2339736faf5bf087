/** Room for the commands of one step: what does not fit waits for the next one. */

/** With the budget of the interpreter this keeps a step far below the five seconds of computing that a workflow task has. */
const MOST_COMMANDS = 200;
const MOST_BYTES = 1024 * 1024;

export class Room {
  private commands = 0;
  private bytes = 0;

  /** Takes room for one command; the first one always fits. */
  take(bytes: number): boolean {
    const fits = this.commands === 0 || (this.commands < MOST_COMMANDS && this.bytes + bytes <= MOST_BYTES);
    if (!fits) return false;
    this.commands += 1;
    this.bytes += bytes;
    return true;
  }
}
