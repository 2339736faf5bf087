/** The files that new drafts start with. Each has an id that no other file of the project has, and so replaces none. */
import type { FileKind } from './kinds.js';

/** @param id unique in the project */
export function blankFile(kind: FileKind, id: string): { name: string; text: string } {
  if (kind === 'DMN') return { name: `${id}.dmn`, text: blankDecision(id) };
  if (kind === 'FORM') return { name: `${id}.form`, text: blankForm(id) };
  return { name: `${id}.bpmn`, text: blankProcess(id) };
}

/** A process that starts and ends. */
function blankProcess(process: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions-${process}" targetNamespace="urn:perdure:models">
  <bpmn:process id="${process}" isExecutable="true">
    <bpmn:startEvent id="start">
      <bpmn:outgoing>start-to-end</bpmn:outgoing>
    </bpmn:startEvent>
    <bpmn:sequenceFlow id="start-to-end" sourceRef="start" targetRef="end" />
    <bpmn:endEvent id="end">
      <bpmn:incoming>start-to-end</bpmn:incoming>
    </bpmn:endEvent>
  </bpmn:process>
  <bpmndi:BPMNDiagram id="diagram">
    <bpmndi:BPMNPlane id="plane" bpmnElement="${process}">
      <bpmndi:BPMNShape id="start-shape" bpmnElement="start">
        <dc:Bounds x="180" y="160" width="36" height="36" />
      </bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="end-shape" bpmnElement="end">
        <dc:Bounds x="432" y="160" width="36" height="36" />
      </bpmndi:BPMNShape>
      <bpmndi:BPMNEdge id="start-to-end-edge" bpmnElement="start-to-end">
        <di:waypoint x="216" y="178" />
        <di:waypoint x="432" y="178" />
      </bpmndi:BPMNEdge>
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`;
}

/** A decision that is a table with one rule. */
function blankDecision(id: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:dmndi="https://www.omg.org/spec/DMN/20191111/DMNDI/" xmlns:dc="http://www.omg.org/spec/DMN/20180521/DC/" id="${id}" name="${id}" namespace="urn:perdure:models:${id}">
  <decision id="${id}-decision" name="Decision">
    <decisionTable id="${id}-table" hitPolicy="FIRST">
      <input id="${id}-input" label="Input">
        <inputExpression id="${id}-expression" typeRef="string">
          <text>input</text>
        </inputExpression>
      </input>
      <output id="${id}-output" label="Output" name="output" typeRef="string" />
      <rule id="${id}-rule">
        <inputEntry id="${id}-test">
          <text></text>
        </inputEntry>
        <outputEntry id="${id}-result">
          <text>"result"</text>
        </outputEntry>
      </rule>
    </decisionTable>
  </decision>
  <dmndi:DMNDI>
    <dmndi:DMNDiagram id="${id}-diagram">
      <dmndi:DMNShape id="${id}-shape" dmnElementRef="${id}-decision">
        <dc:Bounds height="80" width="180" x="160" y="100" />
      </dmndi:DMNShape>
    </dmndi:DMNDiagram>
  </dmndi:DMNDI>
</definitions>
`;
}

/** A form with one field. */
function blankForm(id: string): string {
  const field = { type: 'textfield', id: 'Field_1', key: 'answer', label: 'Answer' };
  return `${JSON.stringify({ type: 'default', id, schemaVersion: 18, components: [field] }, null, 2)}\n`;
}
