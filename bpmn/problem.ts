/** What is wrong with a BPMN file, as the author of the model reads it. */

export interface Problem {
  /** An error refuses the deployment, a warning does not. */
  severity: 'error' | 'warning';
  /** The element it is about, or the nearest one around it that has an id; absent when it is about the whole file. */
  elementID?: string;
  message: string;
}

/** A hostile file must not make an answer of many megabytes. */
const MAX_PROBLEMS = 1000;

/** UTF-16 code units of one message: it quotes texts of the file, and a thousand elements may share one. */
const LONGEST_MESSAGE = 4000;

/** Collects problems in the order in which they are found, each once. */
export class Problems {
  readonly #found = new Map<string, Problem>();
  #left = 0;

  add(severity: Problem['severity'], elementID: string | undefined, whole: string): void {
    const message = shortened(whole);
    const key = JSON.stringify([severity, elementID, message]);
    if (this.#found.has(key)) return;
    if (this.#found.size === MAX_PROBLEMS) this.#left += 1;
    else this.#found.set(key, { severity, ...(elementID && { elementID }), message });
  }

  error(elementID: string | undefined, message: string): void {
    this.add('error', elementID, message);
  }

  warning(elementID: string | undefined, message: string): void {
    this.add('warning', elementID, message);
  }

  /** Whether any of them refuses the deployment. */
  refuse(): boolean {
    return this.#left > 0 || [...this.#found.values()].some(({ severity }) => severity === 'error');
  }

  list(): Problem[] {
    if (this.#left === 0) return [...this.#found.values()];
    return [...this.#found.values(), { severity: 'error', message: `${this.#left} more problems are not listed` }];
  }
}

/** Cut between characters: half of one cannot be stored. */
function shortened(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  const start = message.slice(0, LONGEST_MESSAGE).replace(/[\ud800-\udbff]$/, '');
  return `${start}... (${message.length} characters)`;
}
