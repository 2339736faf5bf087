/** Compiles one executable process to one graph. */
import { compileListeners } from '@perdure/engine/behaviors/listeners/definitions.js';
import { elements } from '@perdure/engine/elements/index.js';
import type { FormsOfProcess } from '@perdure/engine/model/forms.js';
import type { ProcessTool } from '@perdure/engine/model/process-tools.js';
import type { Flow, Graph, NodeOf } from '@perdure/engine/model/graph.js';
import { compileCondition } from './conditions.js';
import { compensationHandlersOf } from './compensation-handlers.js';
import { compileNode } from './compile-node.js';
import { GRAPH_FORMAT } from './compiler-version.js';
import type { ModelCompiler } from './compiler.js';
import { dataOf } from './data.js';
import { withInnerInstances } from './ad-hoc/inner-instances.js';
import { checkDialect } from '../check/dialect.js';
import { formsOf } from './references/forms.js';
import { toolsOf } from './references/tools.js';
import type { BpmnElement } from '../read/document.js';
import { draw, type DrawnFlow, type DrawnProcess } from '../read/drawing.js';
import { checkEvents } from '../check/events.js';
import { lanesOf } from './lanes.js';
import { checkParallelStarts } from './starts/parallel-starts.js';
import { checkStructure, startOf } from '../check/rules.js';
import { checkStartTimers } from './starts/start-timers.js';
import { warnOfUnsetNames } from '../check/unset-names.js';

/** Compiles `process` and reports all problems; the graph is usable only if none exists. */
export function compileProcess(
  process: BpmnElement,
  compiler: ModelCompiler,
): { graph: Graph; forms: FormsOfProcess | undefined; tools: ProcessTool[] | undefined } {
  const drawn = draw(process, compiler.problems);
  checkStructure(drawn, compiler.problems);
  checkEvents(drawn, compiler.problems);
  checkDialect(process, [process], compiler.problems);
  const surroundings = { lanes: lanesOf(drawn), compensationHandlers: compensationHandlersOf(drawn, compiler) };
  const versionTag = process.extension('versionTag')?.attribute('value');
  const graph: Graph = {
    format: GRAPH_FORMAT,
    processID: process.id,
    ...(process.name && { processName: process.name }),
    ...(versionTag && { versionTag }),
    nodes: [
      rootNode(process, drawn, compiler),
      ...withInnerInstances(
        drawn.nodes.flatMap((node) => compileNode(node, surroundings, compiler) ?? []),
        drawn,
        compiler,
      ),
    ],
    flows: drawn.flows.map((flow) => compileFlow(flow, compiler)),
  };
  // A graph with errors cannot be traversed.
  if (!compiler.problems.refuse()) {
    checkStartTimers(graph, drawn, compiler);
    checkParallelStarts(graph, drawn, compiler);
  }
  warnOfUnsetNames(process, graph, compiler.takeReads(), compiler.problems);
  const tools = toolsOf(drawn.root, graph.nodes, compiler);
  return { graph, forms: formsOf(process, startOf(drawn.root)?.element, graph.nodes, compiler), tools };
}

function rootNode(process: BpmnElement, drawn: DrawnProcess, compiler: ModelCompiler): NodeOf<'process'> {
  const start = startOf(drawn.root);
  return {
    ...elements.process.compile(process, compiler),
    kind: 'process',
    id: process.id,
    ...(process.name && { name: process.name }),
    ...(start && { start: start.element.id }),
    ...dataOf(process, compiler),
    ...compileListeners(process, compiler),
    incoming: [],
    outgoing: [],
  };
}

function compileFlow({ element, source, target }: DrawnFlow, compiler: ModelCompiler): Flow {
  const condition = compileCondition(element, source.element, compiler);
  return { id: element.id, source: source.element.id, target: target.element.id, ...(condition && { condition }) };
}
