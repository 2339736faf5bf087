/**
 * Names with spaces and operators. In FEEL a text such as `due date - 1` is ambiguous without the known names: the
 * longest known name that starts at a position wins (DMN 1.5 section 10.3.1.4).
 */
import { namePartAt } from '../text/token.js';

/** One spelling for all notations of a name: single spaces, and one around each operator sign. */
export function canonicalName(name: string): string {
  return name
    .replace(/\s+/g, ' ')
    .replace(/ ?(\*\*|[./\-'+*]) ?/g, ' $1 ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The names that continue with a part. */
interface Continuation {
  next: Map<string, Continuation>;
  /** Number of active declarations of the name that ends here. */
  declared: number;
}

/** Names of more than one part, indexed by their parts: reading a name takes no longer when there are more of them. */
export class KnownNames {
  readonly #root: Continuation = { next: new Map(), declared: 0 };

  add(name: string): void {
    this.#declare(name, 1);
  }

  /** Reverts one `add`. */
  remove(name: string): void {
    this.#declare(name, -1);
  }

  #declare(name: string, difference: number): void {
    const parts = canonicalName(name).split(' ');
    if (parts.length === 1) return;
    let at = this.#root;
    for (const part of parts) {
      const next = at.next.get(part) ?? { next: new Map<string, Continuation>(), declared: 0 };
      at.next.set(part, next);
      at = next;
    }
    at.declared += difference;
  }

  /** The end of the longest known name that starts at an offset. */
  endAt(text: string, offset: number): number | undefined {
    let end: number | undefined;
    let at = this.#root;
    for (let found = namePartAt(text, offset); found !== undefined; found = namePartAt(text, found.end)) {
      const next = at.next.get(found.part);
      if (next === undefined) return end;
      if (next.declared > 0) end = found.end;
      at = next;
    }
    return end;
  }
}
