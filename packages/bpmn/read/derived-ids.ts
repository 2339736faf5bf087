/** Derived ids for sequence flows without an id, which BPMN allows. */
import { MAX_ID_LENGTH } from '@perdure/xml/names.js';

/** Room after the longest id for the number that makes it unique. */
const MAX_BASE_LENGTH = MAX_ID_LENGTH - 8;

/** The part of a BPMN element that naming it needs. */
interface Nameable {
  attribute(name: string): string | undefined;
  deriveID(id: string): void;
}

/**
 * Names each flow after its ends, and adds the name to `taken`. The same file always gives the same ids: later flows
 * between the same ends are numbered in document order.
 */
export function nameFlows<E extends Nameable>(flows: readonly E[], taken: Map<string, E>): void {
  const numbers = new Map<string, number>();
  for (const flow of flows) {
    const base = `${flow.attribute('sourceRef') ?? ''}-${flow.attribute('targetRef') ?? ''}`.slice(0, MAX_BASE_LENGTH);
    let number = numbers.get(base) ?? 1;
    const numbered = () => (number === 1 ? base : `${base}-${number}`);
    while (taken.has(numbered())) number += 1;
    taken.set(numbered(), flow);
    flow.deriveID(numbered());
    numbers.set(base, number + 1);
  }
}
