/**
 * Facts written down by hand, so that a twin leaves the same rows behind as the interpreter. It decides nothing:
 * each line of a twin says itself what happens next.
 */
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';

const ROOT = 1;

export class Recorder {
  private facts: Fact[] = [];
  private last = ROOT;

  begin(process: string, variables: Variables): void {
    this.facts.push(
      { kind: 'INSTANCE_STARTED' },
      { kind: 'ELEMENT_ACTIVATED', element: ROOT, node: process, scope: 0 },
      { kind: 'VARIABLES_SET', scope: ROOT, variables },
    );
  }

  /** Enters a node and returns its number. */
  enter(node: string, how: { token?: true; joined?: string[] } = { token: true }): number {
    this.last += 1;
    this.facts.push({ kind: 'ELEMENT_ACTIVATED', element: this.last, node, scope: ROOT, ...how });
    return this.last;
  }

  leave(element: number, ...flows: string[]): void {
    this.facts.push({ kind: 'ELEMENT_COMPLETED', element, ...(flows.length > 0 && { flows }) });
  }

  pass(node: string, ...flows: string[]): void {
    this.leave(this.enter(node), ...flows);
  }

  result(element: number, variables: Variables): void {
    this.facts.push({ kind: 'VARIABLES_SET', scope: ROOT, variables, by: element, role: 'OUTPUT' });
  }

  /** Opens a job or task for `element` and returns its number. */
  open(kind: 'JOB_CREATED' | 'USER_TASK_CREATED', element: number, node: string): number {
    const number = this.number();
    this.facts.push(
      kind === 'JOB_CREATED'
        ? { kind, job: number, element, node, taskType: 'bench', retries: 3 }
        : { kind, task: number, element, node },
    );
    return number;
  }

  /** The next number of the instance, for what has no other way to get one. */
  number(): number {
    this.last += 1;
    return this.last;
  }

  add(...facts: Fact[]): void {
    this.facts.push(...facts);
  }

  end(): void {
    this.facts.push({ kind: 'ELEMENT_COMPLETED', element: ROOT }, { kind: 'INSTANCE_COMPLETED' });
  }

  /** The facts since the last call. */
  take(): Fact[] {
    const taken = this.facts;
    this.facts = [];
    return taken;
  }
}
