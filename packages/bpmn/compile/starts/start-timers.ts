/** Checks of timers that start processes, in addition to those for all timers: only the time of deployment is known. */
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { isOver, planStartTimer } from '@perdure/engine/time/start-timer.js';
import type { ModelCompiler } from '../compiler.js';
import type { DrawnProcess } from '../../read/drawing.js';

/** Reports timers, in a graph without errors, that cannot or will not start its process. */
export function checkStartTimers(graph: Graph, { nodes }: DrawnProcess, compiler: ModelCompiler): void {
  const now = Date.now();
  const elements = new Map(nodes.map(({ element }) => [element.id, element]));
  for (const { node, what } of entryPoints(modelOf(graph), now)) {
    if (what.kind !== 'timer') continue;
    const element = elements.get(node)!;
    if (what.text === undefined) {
      compiler.problem(
        'error',
        element,
        `The timer of ${node} starts the process, so its expression cannot use variables and must return a text or a date and time`,
      );
      continue;
    }
    const planned = planStartTimer(what.at, what.text, now);
    if (!planned.ok)
      compiler.problem(
        'error',
        element,
        `The timer of ${node} starts the process, so it must be ${planned.expected} (found ${JSON.stringify(what.text)})`,
      );
    else if (isOver(planned.plan, now))
      compiler.problem(
        'warning',
        element,
        `The time of ${node} has passed, so it will not start the process: ${JSON.stringify(what.text)}`,
      );
  }
}
