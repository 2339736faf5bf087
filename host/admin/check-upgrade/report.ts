/** Differences in groups, as lines. */
import type { GraphDifference } from './graphs.js';
import type { Difference } from './rerun.js';
import type { SampledInstance } from './sample.js';

interface Group {
  processID: string;
  version: number;
  nodeID: string | undefined;
  what: string;
  /** The first step at which one of them differs. */
  step: number;
  count: number;
  example: string;
}

/** Instances with the same difference are one line. */
export class Differences {
  readonly #groups = new Map<string, Group>();

  add({ processID, version, workflowID }: SampledInstance, { nodeID, what, step }: Difference): void {
    const key = JSON.stringify([processID, version, nodeID, what]);
    const group = this.#groups.get(key);
    if (!group) this.#groups.set(key, { processID, version, nodeID, what, step, count: 1, example: workflowID });
    else {
      group.count += 1;
      group.step = Math.min(group.step, step);
    }
  }

  /** The largest group first. */
  get lines(): string[] {
    const groups = [...this.#groups.values()].sort((a, b) => b.count - a.count);
    return groups.map(({ processID, version, nodeID, what, step, count, example }) => {
      const where = nodeID === undefined ? '' : `, node ${nodeID}`;
      const who = count === 1 ? `instance ${example}` : `${count} instances, such as ${example}`;
      return `${processID} version ${version}${where}, step ${step}: ${what} (${who})`;
    });
  }
}

export function graphLine({ processID, version, nodeID, what }: GraphDifference): string {
  return `${processID} version ${version}${nodeID === undefined ? '' : `, node ${nodeID}`}: ${what}`;
}

/** By reason, the most frequent first. */
export function skippedLines(skipped: ReadonlyMap<string, number>): string[] {
  return [...skipped].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} not run again: ${reason}`);
}
