/** Ids that diagrams refer to. No other part of a diagram matters for execution. */

/** Attributes of BPMN DI that name an element by its id (BPMN 2.0.2 section 12.2). */
const REFERENCES = ['bpmnElement', 'labelStyle', 'choreographyActivityShape', 'sourceElement', 'targetElement'];

export class DrawnReferences {
  readonly #ids = new Set<string>();
  readonly #named = new Set<string>();

  /** Records one element of a diagram. */
  note(attributes: { readonly [name: string]: string }): void {
    if (attributes['id'] !== undefined) this.#ids.add(attributes['id']);
    for (const name of REFERENCES) if (attributes[name] !== undefined) this.#named.add(attributes[name].trim());
  }

  /**
   * Ids that diagrams refer to and that exist neither in the diagrams nor according to `isKnown`, in document order.
   */
  dangling(isKnown: (id: string) => boolean): string[] {
    return [...this.#named].filter((id) => !this.#ids.has(id) && !isKnown(id));
  }
}
