/** What a process has opened, one part upon another, and closes in the opposite order. */
export class Opened {
  readonly #parts: { name: string; close(): Promise<void> }[] = [];
  #closing: string | undefined;

  /** @param name as it is told to operators when it does not close */
  add(name: string, close: () => Promise<void>): void {
    this.#parts.push({ name, close });
  }

  /** What is being closed just now. */
  get closing(): string | undefined {
    return this.#closing;
  }

  /** Closes what is open, the last first. */
  async close(): Promise<void> {
    for (let part = this.#parts.pop(); part; part = this.#parts.pop()) {
      this.#closing = part.name;
      await part.close();
    }
    this.#closing = undefined;
  }
}
