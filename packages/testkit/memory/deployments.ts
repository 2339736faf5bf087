/** Versions of processes. */
import type { CompiledProcess } from '@perdure/bpmn/compile/compile.js';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import type { DefinitionReference } from '@perdure/engine/state/state.js';
import { roundTrip } from './json.js';

/** One version of a process. */
export interface Deployed {
  processID: string;
  model: Model;
  versionTag?: string;
  /** Number of the deployment, from 1. */
  deployment: number;
}

export type Deployable = Pick<CompiledProcess, 'processID' | 'versionTag' | 'graph'>;

export class Deployments {
  /** Newest last. */
  readonly #deployed: Deployed[] = [];
  #count = 0;

  /**
   * Deploys the processes of one file together. Their instances run the graphs as stored.
   * @returns the number of the deployment, from 1
   */
  add(processes: readonly Deployable[]): number {
    this.#count += 1;
    for (const { processID, versionTag, graph } of processes)
      this.#deployed.push({
        processID,
        model: modelOf(roundTrip(graph)),
        deployment: this.#count,
        ...(versionTag && { versionTag }),
      });
    return this.#count;
  }

  /** The newest version of each process. */
  newest(): Map<string, Deployed> {
    return new Map(this.#deployed.map((process) => [process.processID, process]));
  }

  /** A reference to the newest version of a process; a version is identified by its position among the deployments. */
  newestVersion(processID: string): DefinitionReference {
    const version = this.#deployed.findLastIndex((process) => process.processID === processID);
    return { definitionID: String(version), version, graphSha256: String(version) };
  }

  /** The models to which a migration can lead, by the id of the definition. */
  targets(): Map<string, Model> {
    return new Map(this.#deployed.map(({ model }, version) => [String(version), model]));
  }

  numberOf(model: Model): number {
    return this.#deployed.find((process) => process.model === model)!.deployment;
  }

  /** The process that a call activity of this deployment calls, or undefined. */
  called(deployment: number, { processID, binding }: FactOf<'CHILD_CALLED'>): Deployed | undefined {
    return this.#deployed.findLast(
      (process) =>
        process.processID === processID &&
        (binding.kind !== 'deployment' || process.deployment === deployment) &&
        (binding.kind !== 'versionTag' || process.versionTag === binding.versionTag),
    );
  }
}
