/** Reads instances with the graphs that they ran. */
import type { RecordedCommand, RecordedStep } from '@perdure/backtest';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { readRecordedInstance } from '../../../store/backtests/recorded-instances.js';
import type { Database } from '../../../store/sql/database.js';
import { loadGraph } from '../../../store/steps/graphs.js';
import type { StoredInstance } from './rerun.js';
import type { SampledInstance } from './sample.js';

/** Instances of one version are read one after the other. */
const MODELS = 20;

export class StoredInstances {
  readonly #store: Database;
  readonly #models = new BoundedCache<string, Model>({ entries: MODELS });

  constructor(store: Database) {
    this.#store = store;
  }

  /** @returns why it cannot be run again */
  async read({ workflowID, projectID, startedGraph }: SampledInstance): Promise<StoredInstance | { reason: string }> {
    const instance = await readRecordedInstance(this.#store, projectID, workflowID);
    if (instance.kind === 'gone') return { reason: 'The instance was removed in the meantime' };
    if (instance.kind === 'tooLarge') return { reason: 'The instance has too many facts' };
    if (instance.isRedacted) return { reason: 'Values of the history were redacted' };
    const model = await this.#model(startedGraph);
    if (!model) return { reason: 'The graph of its version is gone' };
    const steps = instance.steps.map((text) => JSON.parse(text) as RecordedStep);
    const commands = instance.commands.filter((text) => text !== '').map((text) => JSON.parse(text) as RecordedCommand);
    return { workflowID, model, steps, commands, targets: await this.#targets(commands) };
  }

  async #targets(commands: readonly RecordedCommand[]): Promise<Map<string, Model>> {
    const targets = new Map<string, Model>();
    for (const command of commands) {
      if (command.kind !== 'MIGRATE') continue;
      const { graphSha256 } = command.target;
      const model = await this.#model(graphSha256);
      if (model) targets.set(graphSha256, model);
    }
    return targets;
  }

  async #model(sha256: string): Promise<Model | undefined> {
    const known = this.#models.get(sha256);
    if (known) return known;
    const graph = await loadGraph(this.#store, sha256);
    const model = graph && modelOf(graph);
    if (model) this.#models.set(sha256, model);
    return model;
  }
}
