/**
 * Parallel multiple start events of processes: arrivals are kept until the rest arrives, so each must be a publication.
 */
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { isKind, modelOf } from '@perdure/engine/model/model.js';
import type { ModelCompiler } from '../compiler.js';
import type { DrawnProcess } from '../../read/drawing.js';

/** Reports definitions, in a graph without errors, whose arrival could not be kept. */
export function checkParallelStarts(graph: Graph, { nodes }: DrawnProcess, compiler: ModelCompiler): void {
  const model = modelOf(graph);
  const entries = entryPoints(model, Date.now());
  for (const node of model.inside(model.root.id)) {
    if (!isKind(node, 'startEvent') || !node.parallelMultiple) continue;
    const kept = entries.filter(
      (entry) => entry.node === node.id && (entry.what.kind === 'message' || entry.what.kind === 'signal'),
    );
    if (kept.length === node.triggers.length) continue;
    const { element } = nodes.find((drawn) => drawn.element.id === node.id)!;
    compiler.problem(
      'error',
      element,
      `Start event ${node.id} is parallel multiple, so each of its definitions must be a message or a signal whose name needs no variables. Use several start events, or wait for timers and conditions after it.`,
    );
  }
}
