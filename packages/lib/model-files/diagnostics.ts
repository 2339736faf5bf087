/** Diagnostics of a BPMN or DMN file, worded for the author of the model. */

export interface Diagnostic {
  /** An error rejects the deployment, or the evaluation of a DMN file; a warning does not. */
  severity: 'error' | 'warning';
  /**
   * The element that it concerns, or the nearest enclosing element with an id; absent if it concerns the whole file.
   */
  elementID?: string;
  message: string;
}

/** A hostile file must not cause a response of many megabytes. */
const MAX_PROBLEMS = 1000;

/** UTF-16 code units of one message, because messages quote the file and a thousand elements may share one text. */
const MAX_MESSAGE_LENGTH = 4000;

/** Collects problems in the order in which they are found, without duplicates. */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();
  #left = 0;

  add(severity: Diagnostic['severity'], elementID: string | undefined, whole: string): void {
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

  /** Whether any of them rejects the deployment. */
  refuse(): boolean {
    return this.#left > 0 || [...this.#found.values()].some(({ severity }) => severity === 'error');
  }

  list(): Diagnostic[] {
    if (this.#left === 0) return [...this.#found.values()];
    return [...this.#found.values(), { severity: 'error', message: `${this.#left} more problems are not listed` }];
  }
}

/** Cuts between characters, because half a surrogate pair cannot be stored. */
function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  const start = message.slice(0, MAX_MESSAGE_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return `${start}... (${message.length} characters)`;
}
