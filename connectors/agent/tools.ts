/** The elements of an ad-hoc sub-process as tools of a model, and the calls that it makes. */
import type { Json } from '@perdure/engine/contract/json.js';
import type { ListedElement, ListedParameter } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import type { ToolCall } from '../../store/work/agents/turns.js';
import { memberOf, type Tool, type WrittenCall } from './providers/provider.js';

/** Of one answer. The next one is refused, and later ones are dropped. */
const MAX_CALLS = 64;
const MAX_NAME_LENGTH = 64;

export function toolOf({ elementId, elementName, documentation, parameters = [] }: ListedElement): Tool {
  const description = [elementName, documentation].filter((part) => part !== undefined).join('\n');
  return {
    name: elementId,
    description: description === '' ? undefined : description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(parameter)])),
      required: parameters.filter(isRequired).map(({ name }) => name),
      additionalProperties: false,
    },
  };
}

function schemaOf({ description, type, schema }: ListedParameter): Json {
  const given = schema !== undefined && typeof schema === 'object' && !Array.isArray(schema) ? schema : {};
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }), ...given };
}

function isRequired({ options }: ListedParameter): boolean {
  return memberOf(options, 'required') !== false;
}

/** The calls of a turn, with the reason for the model where one cannot run. */
export function readCalls(turn: number, calls: readonly WrittenCall[], tools: readonly ListedElement[]): ToolCall[] {
  return calls.slice(0, MAX_CALLS + 1).map((call, index) => {
    const id = `call_${turn}_${index + 1}`;
    const problem = index === MAX_CALLS ? `At most ${MAX_CALLS} calls can be made at once.` : problemOf(call, tools);
    const elementId = storableName(call.name);
    if (problem !== undefined) return { id, elementId, problem: `The tool was not called: ${problem}` };
    return { id, elementId, arguments: call.arguments as { [name: string]: Json } };
  });
}

/** A name of an unknown tool is repeated to the model, so it must be one that the provider accepts. */
function storableName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH) || 'unnamed';
}

function problemOf({ name, arguments: given }: WrittenCall, tools: readonly ListedElement[]): string | undefined {
  const tool = tools.find(({ elementId }) => elementId === name);
  if (!tool) return 'There is no tool of this name.';
  if (given === undefined) return 'Its arguments are not valid JSON.';
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return 'Its arguments must be an object.';
  const { parameters = [] } = tool;
  const unknown = Object.keys(given).find((key) => !parameters.some((parameter) => parameter.name === key));
  if (unknown !== undefined) return 'Its arguments have an unknown name.';
  const missing = parameters.find((parameter) => isRequired(parameter) && !Object.hasOwn(given, parameter.name));
  if (missing) return `The parameter ${missing.name} is missing.`;
  const wrong = parameters.find(
    (parameter) => Object.hasOwn(given, parameter.name) && !fits(parameter, given[parameter.name]!),
  );
  return wrong && `The parameter ${wrong.name} must have the type ${String(typeOf(wrong))}.`;
}

function typeOf({ type, schema }: ListedParameter): Json | undefined {
  return type ?? memberOf(schema, 'type');
}

/** Only the type is checked. The tool reads the rest. */
function fits(parameter: ListedParameter, value: Json): boolean {
  if (value === null) return !isRequired(parameter);
  switch (typeOf(parameter)) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === typeOf(parameter);
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return true;
  }
}
