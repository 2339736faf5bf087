/** Writes small BPMN files for tests, so that a test shows its whole model in a few lines. */

const HEAD =
  '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="test">';

/**
 * A file with one executable process.
 * @param body elements in BPMN XML with the prefix `bpmn:`
 * @param flows one `id: source -> target [condition]` a line; a FEEL condition begins with `=`
 * @param root elements beside the process: errors, messages, signals
 */
export function processModel(id: string, body: string, flows: string, root = ''): string {
  return `${HEAD}${root}<bpmn:process id="${id}" isExecutable="true">${body}${sequenceFlows(flows)}</bpmn:process></bpmn:definitions>`;
}

/** Sequence flows for the inside of a scope, in the notation of `processModel`. */
export function sequenceFlows(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(sequenceFlow)
    .join('');
}

function sequenceFlow(line: string): string {
  const parts = /^([^\s:]+): (\S+) -> (\S+)(?: (=.*))?$/.exec(line);
  if (!parts) throw new Error(`Expected "id: source -> target [=condition]", found "${line}"`);
  const [, id, source, target, condition] = parts;
  const inner = condition
    ? `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${escape(condition)}</bpmn:conditionExpression>`
    : '';
  return `<bpmn:sequenceFlow id="${id}" sourceRef="${source}" targetRef="${target}">${inner}</bpmn:sequenceFlow>`;
}

/** `extensionElements` around what is given. */
export function extensions(inner: string): string {
  return `<bpmn:extensionElements>${inner}</bpmn:extensionElements>`;
}

/**
 * @param inner further extension elements
 * @param attributes of the task
 * @param children of the task: loop characteristics
 */
export function serviceTask(id: string, type = id, inner = '', attributes = '', children = ''): string {
  return `<bpmn:serviceTask id="${id}" ${attributes}>${extensions(`<zeebe:taskDefinition type="${escape(type)}"/>${inner}`)}${children}</bpmn:serviceTask>`;
}

export function scriptTask(
  id: string,
  expression: string,
  resultVariable: string,
  inner = '',
  attributes = '',
  children = '',
): string {
  return `<bpmn:scriptTask id="${id}" ${attributes}>${extensions(`<zeebe:script expression="${escape(expression)}" resultVariable="${resultVariable}"/>${inner}`)}${children}</bpmn:scriptTask>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** `processModel` without naming the start: `s` leads to what the first flow names. */
export function simpleModel(body: string, flows: string, root = ''): string {
  return processModel('p', `<bpmn:startEvent id="s"/>${body}`, flows, root);
}

/** Event definitions by what they react to or throw. */
export const on = {
  message: (ref: string) => `<bpmn:messageEventDefinition messageRef="${ref}"/>`,
  signal: (ref: string) => `<bpmn:signalEventDefinition signalRef="${ref}"/>`,
  timer: (duration: string) =>
    `<bpmn:timerEventDefinition><bpmn:timeDuration>${duration}</bpmn:timeDuration></bpmn:timerEventDefinition>`,
  cycle: (cycle: string) =>
    `<bpmn:timerEventDefinition><bpmn:timeCycle>${cycle}</bpmn:timeCycle></bpmn:timerEventDefinition>`,
  condition: (expression: string) =>
    `<bpmn:conditionalEventDefinition><bpmn:condition>${escape(expression)}</bpmn:condition></bpmn:conditionalEventDefinition>`,
  error: (ref?: string) => `<bpmn:errorEventDefinition${ref ? ` errorRef="${ref}"` : ''}/>`,
  escalation: (ref?: string) => `<bpmn:escalationEventDefinition${ref ? ` escalationRef="${ref}"` : ''}/>`,
  link: (name: string) => `<bpmn:linkEventDefinition name="${name}"/>`,
  compensation: (attributes = '') => `<bpmn:compensateEventDefinition ${attributes}/>`,
  cancel: '<bpmn:cancelEventDefinition/>',
  terminate: '<bpmn:terminateEventDefinition/>',
};

/** Root elements; the id is name and code too. */
export const root = {
  message: (id: string, correlationKey?: string) =>
    `<bpmn:message id="${id}" name="${id}">${correlationKey ? extensions(`<zeebe:subscription correlationKey="${escape(correlationKey)}"/>`) : ''}</bpmn:message>`,
  signal: (id: string) => `<bpmn:signal id="${id}" name="${id}"/>`,
  error: (id: string) => `<bpmn:error id="${id}" name="${id}" errorCode="${id}"/>`,
  escalation: (id: string) => `<bpmn:escalation id="${id}" name="${id}" escalationCode="${id}"/>`,
};

export function startEvent(id: string, definitions = '', attributes = ''): string {
  return `<bpmn:startEvent id="${id}" ${attributes}>${definitions}</bpmn:startEvent>`;
}

export function catchEvent(id: string, definitions: string, attributes = ''): string {
  return `<bpmn:intermediateCatchEvent id="${id}" ${attributes}>${definitions}</bpmn:intermediateCatchEvent>`;
}

export function throwEvent(id: string, definitions: string): string {
  return `<bpmn:intermediateThrowEvent id="${id}">${definitions}</bpmn:intermediateThrowEvent>`;
}

export function endEvent(id: string, definitions = ''): string {
  return `<bpmn:endEvent id="${id}">${definitions}</bpmn:endEvent>`;
}

export function boundary(id: string, host: string, definitions: string, attributes = ''): string {
  return `<bpmn:boundaryEvent id="${id}" attachedToRef="${host}" ${attributes}>${definitions}</bpmn:boundaryEvent>`;
}

/** A compensation boundary event at `host` whose handler is `handler`. */
export function compensatedBy(host: string, handler: string): string {
  return `${boundary(`undo_${host}`, host, on.compensation())}<bpmn:association id="to_${handler}" associationDirection="One" sourceRef="undo_${host}" targetRef="${handler}"/>`;
}

/** A task that is done at once. */
export function task(id: string, inner = '', attributes = ''): string {
  return `<bpmn:task id="${id}" ${attributes}>${inner}</bpmn:task>`;
}

export function gateway(
  kind: 'exclusive' | 'parallel' | 'inclusive' | 'eventBased' | 'complex',
  id: string,
  attributes = '',
  inner = '',
): string {
  return `<bpmn:${kind}Gateway id="${id}" ${attributes}>${inner}</bpmn:${kind}Gateway>`;
}

/** A sub-process of any kind: `subProcess`, `transaction`, `adHocSubProcess`. */
export function scope(
  kind: 'subProcess' | 'transaction' | 'adHocSubProcess',
  id: string,
  body: string,
  flows: string,
  attributes = '',
): string {
  return `<bpmn:${kind} id="${id}" ${attributes}>${body}${sequenceFlows(flows)}</bpmn:${kind}>`;
}

export function eventSubProcess(id: string, body: string, flows: string): string {
  return scope('subProcess', id, body, flows, 'triggeredByEvent="true"');
}

/** Multi-instance characteristics. */
export function forEach(
  collection: string,
  {
    sequential = false,
    element = 'item',
    output,
    into,
    until,
  }: { sequential?: boolean; element?: string; output?: string; into?: string; until?: string } = {},
): string {
  const attributes = [
    `inputCollection="${escape(collection)}"`,
    `inputElement="${element}"`,
    output && `outputElement="${escape(output)}"`,
    into && `outputCollection="${into}"`,
  ];
  const condition = until ? `<bpmn:completionCondition>${escape(until)}</bpmn:completionCondition>` : '';
  return `<bpmn:multiInstanceLoopCharacteristics isSequential="${sequential}">${extensions(`<zeebe:loopCharacteristics ${attributes.filter(Boolean).join(' ')}/>`)}${condition}</bpmn:multiInstanceLoopCharacteristics>`;
}

/** Standard loop characteristics. */
export function loop({
  condition,
  testBefore = false,
  maximum,
}: {
  condition?: string;
  testBefore?: boolean;
  maximum?: number;
}): string {
  const inner = condition ? `<bpmn:loopCondition>${escape(condition)}</bpmn:loopCondition>` : '';
  return `<bpmn:standardLoopCharacteristics testBefore="${testBefore}"${maximum === undefined ? '' : ` loopMaximum="${maximum}"`}>${inner}</bpmn:standardLoopCharacteristics>`;
}
