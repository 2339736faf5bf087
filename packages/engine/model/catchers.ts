/** How often catching events occur. */
import type { Node } from './graph.js';

/** Whether `catcher` can occur repeatedly while it listens. */
export function staysOpen(catcher: Node): boolean {
  return 'interrupting' in catcher && !catcher.interrupting && !isParallelMultiple(catcher);
}

/** Whether `catcher` occurs only once all of its definitions have (BPMN 2.0.2 table 10.93, Parallel Multiple). */
export function isParallelMultiple(catcher: Node): boolean {
  return 'parallelMultiple' in catcher && catcher.parallelMultiple === true;
}
