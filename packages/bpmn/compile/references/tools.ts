/** Start events with the properties that Camunda's element template of MCP start events writes. */
import type { NodeOf, Node } from '@perdure/engine/model/graph.js';
import type { ProcessTool } from '@perdure/engine/model/process-tools.js';
import { isKind } from '@perdure/engine/model/model.js';
import { parametersOf } from '../ad-hoc/parameters.js';
import type { ModelCompiler } from '../compiler.js';
import { propertiesOf } from '../properties.js';
import type { BpmnElement } from '../../read/document.js';
import type { DrawnScope } from '../../read/drawing.js';
import { literalOf } from './deployment-targets.js';

const PREFIX = 'io.camunda.tool:';
const NAME = /^[\w.-]{1,100}$/;
/** Every list of tools carries it to a language model. */
const MAX_DESCRIPTION = 8_000;
/** JSON of the parameters. */
const MAX_PARAMETERS = 32_000;

/** In the order of the description. */
const SECTIONS: readonly (readonly [property: string, title: string])[] = [
  ['purpose', ''],
  ['inputs', 'Inputs: '],
  ['results', 'Returns: '],
  ['when_to_use', 'When to use: '],
  ['when_not_to_use', 'When not to use: '],
];

/** Undefined without any. One that cannot be called is left out with a warning. */
export function toolsOf(root: DrawnScope, nodes: readonly Node[], compiler: ModelCompiler): ProcessTool[] | undefined {
  const tools = new Map<string, ProcessTool>();
  const compiled = new Map(nodes.map((node) => [node.id, node]));
  for (const { element } of root.nodes) {
    const properties = propertiesOf(element);
    const name = properties[`${PREFIX}name`];
    const node = name === undefined ? undefined : compiled.get(element.id);
    if (name === undefined || !node || !isKind(node, 'startEvent')) continue;
    const tool = toolOf(name, node, properties, element, compiler);
    const problem =
      typeof tool === 'string' ? tool : tools.has(tool.name) ? 'another start event has its name' : undefined;
    if (problem !== undefined)
      compiler.problem('warning', element, `Start event ${element.id} is not a tool of agents: ${problem}`);
    else if (typeof tool !== 'string') tools.set(tool.name, tool);
  }
  return tools.size === 0 ? undefined : [...tools.values()];
}

/** @returns a text that says why it is none */
function toolOf(
  name: string,
  node: NodeOf<'startEvent'>,
  properties: { readonly [name: string]: string },
  element: BpmnElement,
  compiler: ModelCompiler,
): ProcessTool | string {
  if (!NAME.test(name))
    return `its name must have 1 to 100 letters, digits, hyphens, underscores, and dots, but is ${JSON.stringify(name.slice(0, 100))}`;
  const messageName = messageNameOf(node);
  if (node.triggers.length > 0 && messageName === undefined)
    return 'only a none start event, or one with a message of a constant name, can be called';
  const description = SECTIONS.flatMap(([property, title]) => {
    const text = properties[PREFIX + property]?.trim();
    return text ? [title + text] : [];
  }).join('\n\n');
  if (description.length > MAX_DESCRIPTION)
    return `its description has ${description.length} characters, but may have ${MAX_DESCRIPTION}`;
  const parameters = parametersOf(
    (node.outputs ?? []).map(({ source }) => source),
    element,
    compiler,
  );
  if (JSON.stringify(parameters).length > MAX_PARAMETERS)
    return `its parameters have more than ${MAX_PARAMETERS} characters`;
  return {
    name,
    description,
    nodeID: node.id,
    ...(messageName !== undefined && { messageName }),
    ...(parameters.length > 0 && { parameters }),
  };
}

function messageNameOf({ triggers }: NodeOf<'startEvent'>): string | undefined {
  const [trigger] = triggers;
  return triggers.length === 1 && trigger?.kind === 'message' ? literalOf(trigger.name) : undefined;
}
