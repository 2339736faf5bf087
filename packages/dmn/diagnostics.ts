/** Diagnostics of a DMN file, worded for the author of the model. */

export interface Diagnostic {
  /** An error prevents the evaluation of the file; a warning does not. */
  severity: 'error' | 'warning';
  /**
   * The element that it concerns, or the nearest enclosing element with an id; absent if it concerns the whole file.
   */
  elementID?: string;
  message: string;
}

/** A hostile file must not cause a response of many megabytes. */
const MAX_PROBLEMS = 1000;

/** Collects problems in the order in which they are found, without duplicates. */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();
  #left = 0;

  error(elementID: string | undefined, message: string): void {
    this.#add('error', elementID, message);
  }

  warning(elementID: string | undefined, message: string): void {
    this.#add('warning', elementID, message);
  }

  list(): Diagnostic[] {
    const found = [...this.#found.values()];
    if (this.#left > 0) found.push({ severity: 'error', message: `${this.#left} more problems are not listed` });
    return found;
  }

  #add(severity: Diagnostic['severity'], elementID: string | undefined, message: string): void {
    const key = JSON.stringify([severity, elementID, message]);
    if (this.#found.has(key)) return;
    if (this.#found.size === MAX_PROBLEMS) this.#left += 1;
    else this.#found.set(key, { severity, ...(elementID !== undefined && { elementID }), message });
  }
}
