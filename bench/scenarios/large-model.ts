/** A process with thousands of nodes: a person to begin with, and tasks one after the other, drawn in lines of a hundred with their flows. */

const namespaces =
  'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"';

/** @param nodes in all, the start event among them */
export function largeModel(nodes: number): string {
  const ids = ['Start', 'Check', ...Array.from({ length: nodes - 2 }, (_, index) => `T${index}`)];
  const place = (index: number) => ({ x: 160 * (index % 100), y: 120 * Math.floor(index / 100) });
  const flow = (index: number) =>
    `<bpmn:sequenceFlow id="F${index}" sourceRef="${ids[index - 1]}" targetRef="${ids[index]}" />`;
  const shape = (id: string, index: number) =>
    `<bpmndi:BPMNShape id="S_${id}" bpmnElement="${id}"><dc:Bounds x="${place(index).x}" y="${place(index).y}" width="100" height="80" /></bpmndi:BPMNShape>`;
  const edge = (index: number) => {
    const [from, to] = [place(index - 1), place(index)];
    return `<bpmndi:BPMNEdge id="E${index}" bpmnElement="F${index}"><di:waypoint x="${from.x + 100}" y="${from.y + 40}" /><di:waypoint x="${to.x}" y="${to.y + 40}" /></bpmndi:BPMNEdge>`;
  };
  const tasks = ids.slice(2).map((id, index) => `<bpmn:task id="${id}" name="Step ${index}" />`);
  const flows = ids.slice(1).map((_, index) => flow(index + 1));
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions ${namespaces} id="Definitions_large" targetNamespace="urn:large">
  <bpmn:process id="large" name="Large" isExecutable="true">
    <bpmn:startEvent id="Start" /><bpmn:userTask id="Check" name="Check"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>
    ${tasks.join('')}${flows.join('')}
  </bpmn:process>
  <bpmndi:BPMNDiagram id="Diagram"><bpmndi:BPMNPlane id="Plane" bpmnElement="large">${ids.map(shape).join('')}${ids
    .slice(1)
    .map((_, index) => edge(index + 1))
    .join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>`;
}
