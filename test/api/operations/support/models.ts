/** BPMN files that the tests of operations deploy. */

/** A file with one process of these elements. */
export function bpmn(processID: string, elements: string, more = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="Definitions_${processID}" targetNamespace="http://perdure.test">
  <bpmn:process id="${processID}" name="${processID} by name" isExecutable="true">${elements}</bpmn:process>${more}
</bpmn:definitions>`;
}

/** Nodes in a row, from a start event to an end event. */
export function inARow(processID: string, nodes: readonly { id: string; xml: string }[], more = ''): string {
  const ids = ['start', ...nodes.map(({ id }) => id), 'end'];
  const flows = ids
    .slice(1)
    .map((id, index) => `<bpmn:sequenceFlow id="f${index}" sourceRef="${ids[index]}" targetRef="${id}" />`);
  const elements = [
    '<bpmn:startEvent id="start" />',
    ...nodes.map(({ xml }) => xml),
    '<bpmn:endEvent id="end" />',
    ...flows,
  ];
  return bpmn(processID, elements.join('\n    '), more);
}

export function serviceTask(id: string, { type = id, retries = 3, extensions = '' } = {}): { id: string; xml: string } {
  const definition = `<zeebe:taskDefinition type="${type}" retries="${retries}" />`;
  return {
    id,
    xml: `<bpmn:serviceTask id="${id}"><bpmn:extensionElements>${definition}${extensions}</bpmn:extensionElements></bpmn:serviceTask>`,
  };
}

export function userTask(id: string, assignment = ''): { id: string; xml: string } {
  return {
    id,
    xml: `<bpmn:userTask id="${id}"><bpmn:extensionElements><zeebe:userTask /><zeebe:formDefinition formKey="form-${id}" />${assignment}</bpmn:extensionElements></bpmn:userTask>`,
  };
}

export function scriptTask(id: string, expression: string, resultVariable: string): { id: string; xml: string } {
  const script = `<zeebe:script expression="=${expression}" resultVariable="${resultVariable}" />`;
  return {
    id,
    xml: `<bpmn:scriptTask id="${id}"><bpmn:extensionElements>${script}</bpmn:extensionElements></bpmn:scriptTask>`,
  };
}

export function callActivity(id: string, processID: string): { id: string; xml: string } {
  const called = `<zeebe:calledElement processId="${processID}" propagateAllChildVariables="true" />`;
  return {
    id,
    xml: `<bpmn:callActivity id="${id}"><bpmn:extensionElements>${called}</bpmn:extensionElements></bpmn:callActivity>`,
  };
}
