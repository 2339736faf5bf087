/**
 * Finds for what opens in one run its counterpart in the recorded run, each at most once: at the same place, else at the
 * same spot, else the oldest at the same node that is left. Only what has the same label is alike.
 */
import type { Visit } from '../trail.js';

interface Item {
  readonly visit: Visit;
  readonly node: string;
  readonly times: number;
}

export class Counterparts<T extends Item> {
  readonly #labelOf: (item: T) => string;
  readonly #exact = new Map<string, T>();
  /** Oldest last. */
  readonly #atNode = new Map<string, T[]>();
  readonly #taken = new Set<T>();

  constructor(recorded: Iterable<T>, labelOf: (item: T) => string) {
    this.#labelOf = labelOf;
    for (const item of [...recorded].reverse()) {
      for (const key of this.#keysOf(item)) this.#exact.set(key, item);
      const atNode = this.#atNode.get(this.#nodeKey(item));
      if (atNode) atNode.push(item);
      else this.#atNode.set(this.#nodeKey(item), [item]);
    }
  }

  take(item: T): T | undefined {
    const exact = this.#keysOf(item)
      .map((key) => this.#exact.get(key))
      .find((candidate) => candidate && !this.#taken.has(candidate));
    const found = exact ?? this.#oldestLeft(item);
    if (found) this.#taken.add(found);
    return found;
  }

  #oldestLeft(item: T): T | undefined {
    const left = this.#atNode.get(this.#nodeKey(item)) ?? [];
    while (left.length > 0) {
      const candidate = left.pop()!;
      if (!this.#taken.has(candidate)) return candidate;
    }
    return undefined;
  }

  #keysOf(item: T): string[] {
    const { visit, node, times } = item;
    const rest = `${times} ${node} ${this.#labelOf(item)}`;
    return [`place ${visit.place} ${rest}`, `spot ${visit.spot} ${rest}`];
  }

  #nodeKey(item: T): string {
    return `${item.node} ${this.#labelOf(item)}`;
  }
}
