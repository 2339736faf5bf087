/** Activities that wait in this process for the next result of their workflow. */

const MAX_LINGER_MS = 1_000;

export class Lingers {
  /** By workflow id. */
  readonly #waiting = new Map<string, () => void>();

  /** @returns true when the result is given in time; the caller hears of a later one by signal */
  untilGiven(workflowID: string): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isGiven: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(workflowID);
        resolve(isGiven);
      };
      const timer = setTimeout(() => end(false), MAX_LINGER_MS);
      this.#waiting.set(workflowID, () => end(true));
    });
  }

  /** @returns false if no commit waits for it here */
  give(workflowID: string): boolean {
    const waiting = this.#waiting.get(workflowID);
    waiting?.();
    return waiting !== undefined;
  }
}
