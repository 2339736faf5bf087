/** Future events, earliest first; at the same moment in recorded order. A binary heap. */
export interface Planned {
  /** Epoch milliseconds. */
  at: number;
  /** Position in the recorded run; infinite for what it did not have. */
  sequence: number;
}

export class Agenda<T extends Planned> {
  readonly #heap: T[] = [];

  get first(): T | undefined {
    return this.#heap[0];
  }

  add(item: T): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(item, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = item;
  }

  take(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.#sink(last);
    return first;
  }

  /** Places `item` at the top and moves it down to where it belongs. */
  #sink(item: T): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, item)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = item;
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.at < other.at || (one.at === other.at && one.sequence < other.sequence);
}
