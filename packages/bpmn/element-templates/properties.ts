/** Problems of the properties of an element template. */
import { isObject, type FileProblem } from '@perdure/lib/model-files/json.js';

export interface TemplateProblem extends FileProblem {
  readonly severity: 'error' | 'warning';
}

export const MAX_PROPERTIES = 1_000;

const TYPES = new Set(['String', 'Text', 'Hidden', 'Dropdown', 'Boolean', 'Number']);

/** The bindings of Camunda 8's schema, version 0.46. A later schema can have more, so another one is a warning. */
const BINDINGS = new Set([
  'property',
  'zeebe:taskDefinition:type',
  'zeebe:input',
  'zeebe:output',
  'zeebe:property',
  'zeebe:taskHeader',
  'zeebe:taskDefinition',
  'zeebe:calledElement',
  'zeebe:linkedResource',
  'zeebe:userTask',
  'zeebe:formDefinition',
  'zeebe:calledDecision',
  'zeebe:script',
  'zeebe:assignmentDefinition',
  'zeebe:priorityDefinition',
  'zeebe:jobPriorityDefinition',
  'zeebe:adHoc',
  'zeebe:taskSchedule',
  'zeebe:executionListener',
  'zeebe:taskListener',
  'zeebe:agentDefinition',
  'bpmn:Message#property',
  'bpmn:Message#zeebe:subscription#property',
  'bpmn:Signal#property',
  'bpmn:TimerEventDefinition#property',
  'bpmn:ConditionalEventDefinition#property',
  'bpmn:ConditionalEventDefinition#zeebe:conditionalFilter#property',
]);

/** @param which the template, for messages */
export function propertyProblems(properties: readonly unknown[], which: string): TemplateProblem[] {
  return properties.flatMap((property, index) => {
    const found = problemOf(property);
    return found === undefined
      ? []
      : [{ severity: found.severity, message: `Property ${index + 1} of ${which} ${found.says}` }];
  });
}

function problemOf(property: unknown): { severity: TemplateProblem['severity']; says: string } | undefined {
  const refused = (says: string) => ({ severity: 'error' as const, says });
  if (!isObject(property)) return refused('must be a JSON object');
  const { type, binding, choices } = property;
  const binds = isObject(binding) ? binding['type'] : undefined;
  if (typeof binds !== 'string' || binds === '') return refused('needs a binding with a type');
  if (type !== undefined && !(typeof type === 'string' && TYPES.has(type)))
    return refused(`has an unknown type. It must be one of ${[...TYPES].join(', ')}.`);
  if (type === 'Dropdown' && !(Array.isArray(choices) && choices.every(isChoice)))
    return refused('is a Dropdown and needs choices with a name and a value');
  if (BINDINGS.has(binds)) return undefined;
  return {
    severity: 'warning',
    says: `has a binding that Camunda 8 does not have: ${JSON.stringify(binds.slice(0, 100))}`,
  };
}

function isChoice(choice: unknown): boolean {
  return isObject(choice) && typeof choice['name'] === 'string' && typeof choice['value'] === 'string';
}
