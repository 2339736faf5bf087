/** A case on the engine alone, as others see it. */
import { activeScopes } from '../../api/operations/instances/shared/active-scopes.js';
import { foldHistory } from '../../store/steps/history.js';
import type { MemoryInstance } from '../../packages/testkit/memory-host.js';
import { historyOf, reasonsOf, type Driver, type Seen } from './driver.js';
import { MemoryPlayer } from './memory-player.js';

export class MemoryDriver extends MemoryPlayer implements Driver {
  async look(): Promise<Seen[]> {
    return this.instances().map((instance) => this.#see(instance));
  }

  #see(instance: MemoryInstance): Seen {
    const { workflowID, model, state, steps } = instance;
    const commits = steps.map(({ facts, now }) => ({ factsBefore: 0, facts, now }));
    const scopes = activeScopes(state, model.graph, 1);
    return {
      process: model.graph.processID,
      status: state.status,
      active: scopes
        .flatMap(({ activeNodes }) => Object.entries(activeNodes).map(([node, count]) => `${node} x${count}`))
        .sort(),
      incidents:
        state.status === 'RUNNING'
          ? this.host
              .incidents(instance)
              .map(({ node, errorType }) => `${node} ${errorType}`)
              .sort()
          : [],
      reasons: reasonsOf([
        ...(state.status === 'RUNNING' ? this.host.incidents(instance).map(({ message }) => message) : []),
        this.host.facts(instance).find((fact) => fact.kind === 'INSTANCE_FAILED')?.reason,
      ]),
      history: historyOf(foldHistory(workflowID, model.graph, commits)),
      variables: this.host.variables(instance),
    };
  }
}
