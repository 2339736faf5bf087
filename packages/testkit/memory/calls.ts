/** Links between parent instances and the instances that they call. */
import type { ChildOutcome } from '@perdure/engine/contract/commands.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import type { HostServices } from './host-services.js';
import type { MemoryInstance } from './instance.js';
import { variablesOf } from './lookups.js';

export class Calls {
  readonly #host: HostServices;

  constructor(host: HostServices) {
    this.#host = host;
  }

  call(parent: MemoryInstance, fact: FactOf<'CHILD_CALLED'>): void {
    const called = this.#host.deployments.called(parent.deployment, fact);
    if (!called) {
      if (this.#host.keepsUnknownCalls) return;
      const outcome: ChildOutcome = {
        status: 'REFUSED',
        message: `No process ${fact.processID} is deployed in this project`,
      };
      this.#host.send(parent, { kind: 'END_CHILD', execution: fact.child, outcome });
      return;
    }
    const start = {
      variables: fact.variables,
      parent: { workflowID: parent.workflowID, wait: fact.child },
      caughtErrors: fact.caughtErrors,
      depth: fact.depth,
      ...(fact.caughtEscalations && { caughtEscalations: fact.caughtEscalations }),
    };
    this.#host.begin(called, start, fact.workflowID);
  }

  cancel({ workflowID }: FactOf<'CHILD_CANCELED'>): void {
    const child = this.#host.instances.get(workflowID);
    if (child?.state.status === 'RUNNING')
      this.#host.send(child, { kind: 'CANCEL_INSTANCE', reason: 'The parent instance no longer waits for it' });
  }

  escalate({ state }: MemoryInstance, { escalationCode, variables }: FactOf<'ESCALATION_THROWN'>): void {
    const { workflowID, wait } = state.parent!;
    const parent = this.#host.instances.get(workflowID);
    // The parent of an opened instance can be on its host.
    if (!parent) return;
    this.#host.send(parent, {
      kind: 'ESCALATE_CHILD',
      execution: wait,
      ...(escalationCode !== undefined && { escalationCode }),
      ...(variables && { variables }),
    });
  }

  /** Reports the end of an instance to its parent, if that still waits for it. */
  report(instance: MemoryInstance, facts: readonly Fact[]): void {
    const { parent: waiting, status } = instance.state;
    const parent = waiting && this.#host.instances.get(waiting.workflowID);
    if (!waiting || parent?.state.status !== 'RUNNING' || !parent.state.waits[waiting.wait]) return;
    this.#host.send(parent, {
      kind: 'END_CHILD',
      execution: waiting.wait,
      outcome: status === 'COMPLETED' ? { status, variables: variablesOf(instance) } : outcomeOf(facts),
    });
  }
}

/** The end of an instance that has not completed, as reported to its parent. */
function outcomeOf(facts: readonly Fact[]): ChildOutcome {
  const failure = facts.find((fact) => fact.kind === 'INSTANCE_FAILED');
  if (failure?.errorCode !== undefined)
    return {
      status: 'ERROR',
      errorCode: failure.errorCode,
      message: failure.reason,
      ...(failure.variables && { variables: failure.variables }),
    };
  const reason = failure?.reason ?? facts.find((fact) => fact.kind === 'INSTANCE_CANCELED')?.reason;
  return { status: 'CANCELED', ...(reason !== undefined && { reason }) };
}
