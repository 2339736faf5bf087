/** Suspended instances and process versions. Both affect everything that has been called below them. */
import type { Model } from '@perdure/engine/model/model.js';
import type { MemoryInstance } from './instance.js';

export class Pauses {
  readonly #instances = new Set<string>();
  readonly #definitions = new Set<Model>();

  suspend({ workflowID }: MemoryInstance): void {
    this.#instances.add(workflowID);
  }

  resume({ workflowID }: MemoryInstance): void {
    this.#instances.delete(workflowID);
  }

  suspendDefinition(model: Model): void {
    this.#definitions.add(model);
  }

  resumeDefinition(model: Model): void {
    this.#definitions.delete(model);
  }

  hasDefinition(model: Model): boolean {
    return this.#definitions.has(model);
  }

  isPaused(
    { workflowID, model, state, start }: MemoryInstance,
    instances: ReadonlyMap<string, MemoryInstance>,
  ): boolean {
    if (this.#instances.has(workflowID) || this.#definitions.has(model)) return true;
    const called = state.parent ?? start?.parent;
    const parent = called && instances.get(called.workflowID);
    return parent !== undefined && this.isPaused(parent, instances);
  }
}
