/** The resources that a process has opened, each depending on the earlier ones. They are closed in reverse order. */
export class CloseStack {
  readonly #parts: { name: string; close(): Promise<void> }[] = [];
  #closing: string | undefined;

  /** @param name identifies the resource in the message when it does not close */
  add(name: string, close: () => Promise<void>): void {
    this.#parts.push({ name, close });
  }

  /** The resource that is being closed. */
  get closing(): string | undefined {
    return this.#closing;
  }

  /** Closes the open resources, last one first. */
  async close(): Promise<void> {
    for (let part = this.#parts.pop(); part; part = this.#parts.pop()) {
      this.#closing = part.name;
      await part.close();
    }
    this.#closing = undefined;
  }
}
