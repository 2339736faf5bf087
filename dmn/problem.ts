/** What is wrong with a DMN file, as the author of the model reads it. */

export interface Problem {
  /** An error keeps the file from being evaluated, a warning does not. */
  severity: 'error' | 'warning';
  /** The element it is about, or the nearest one around it that has an id; absent when it is about the whole file. */
  elementID?: string;
  message: string;
}

/** A hostile file must not make an answer of many megabytes. */
const MOST_PROBLEMS = 1000;

/** Collects problems in the order in which they are found, each once. */
export class Problems {
  readonly #found = new Map<string, Problem>();
  #left = 0;

  error(elementID: string | undefined, message: string): void {
    this.#add('error', elementID, message);
  }

  warning(elementID: string | undefined, message: string): void {
    this.#add('warning', elementID, message);
  }

  list(): Problem[] {
    const found = [...this.#found.values()];
    if (this.#left > 0) found.push({ severity: 'error', message: `${this.#left} more problems are not listed` });
    return found;
  }

  #add(severity: Problem['severity'], elementID: string | undefined, message: string): void {
    const key = JSON.stringify([severity, elementID, message]);
    if (this.#found.has(key)) return;
    if (this.#found.size === MOST_PROBLEMS) this.#left += 1;
    else this.#found.set(key, { severity, ...(elementID !== undefined && { elementID }), message });
  }
}
