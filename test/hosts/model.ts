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
  const inner = condition ? `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${escape(condition)}</bpmn:conditionExpression>` : '';
  return `<bpmn:sequenceFlow id="${id}" sourceRef="${source}" targetRef="${target}">${inner}</bpmn:sequenceFlow>`;
}

/** `extensionElements` around what is given. */
export function extensions(inner: string): string {
  return `<bpmn:extensionElements>${inner}</bpmn:extensionElements>`;
}

export function serviceTask(id: string, type = id, inner = ''): string {
  return `<bpmn:serviceTask id="${id}">${extensions(`<zeebe:taskDefinition type="${escape(type)}"/>${inner}`)}</bpmn:serviceTask>`;
}

export function scriptTask(id: string, expression: string, resultVariable: string, inner = ''): string {
  return `<bpmn:scriptTask id="${id}">${extensions(`<zeebe:script expression="${escape(expression)}" resultVariable="${resultVariable}"/>${inner}`)}</bpmn:scriptTask>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
