/** The file that a new draft starts with: a process that starts and ends. */

/** @param process id of its process, unique in a project so that it replaces no other */
export function blankFile(process: string): string {
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
