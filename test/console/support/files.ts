/** BPMN files that tests of the console deploy. Most have no diagram: where nothing is drawn, nothing needs one. */
const namespaces =
  'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"';

/** One process around this content. */
export function processFile(processID: string, content: string, extensions = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions ${namespaces} id="Definitions_${processID}" targetNamespace="urn:test">
  <bpmn:process id="${processID}" isExecutable="true">
    ${extensions && `<bpmn:extensionElements>${extensions}</bpmn:extensionElements>`}
    ${content}
  </bpmn:process>
</bpmn:definitions>`;
}

/** A user task whose form is part of the file: a text field that has to be filled in. */
export const fileWithForm = processFile(
  'with-form',
  `<bpmn:startEvent id="Start" />
    <bpmn:sequenceFlow id="Flow_1" sourceRef="Start" targetRef="Ask" />
    <bpmn:userTask id="Ask" name="Ask for the name">
      <bpmn:extensionElements><zeebe:formDefinition formKey="camunda-forms:bpmn:nameForm" /></bpmn:extensionElements>
    </bpmn:userTask>
    <bpmn:sequenceFlow id="Flow_2" sourceRef="Ask" targetRef="End" />
    <bpmn:endEvent id="End" />`,
  `<zeebe:userTaskForm id="nameForm">${JSON.stringify({
    type: 'default',
    id: 'nameForm',
    schemaVersion: 16,
    components: [
      { type: 'textfield', id: 'Field_name', key: 'name', label: 'Name', validate: { required: true } },
      {
        type: 'select',
        id: 'Field_size',
        key: 'size',
        label: 'Size',
        values: [
          { label: 'Small', value: 's' },
          { label: 'Large', value: 'l' },
        ],
      },
    ],
  })}</zeebe:userTaskForm>`,
);

/** An ad-hoc sub-process that waits for somebody to say what is to be done. */
export const fileWithAdHoc = processFile(
  'with-ad-hoc',
  `<bpmn:startEvent id="Start" />
    <bpmn:sequenceFlow id="Flow_1" sourceRef="Start" targetRef="AdHoc" />
    <bpmn:adHocSubProcess id="AdHoc" name="Care for the customer">
      <bpmn:userTask id="Call" name="Call"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>
      <bpmn:userTask id="Write" name="Write a letter"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>
    </bpmn:adHocSubProcess>
    <bpmn:sequenceFlow id="Flow_2" sourceRef="AdHoc" targetRef="End" />
    <bpmn:endEvent id="End" />`,
);

/** Waits for a message by its correlation. */
export const fileWithMessage = processFile(
  'with-message',
  `<bpmn:startEvent id="Start" />
    <bpmn:sequenceFlow id="Flow_1" sourceRef="Start" targetRef="Wait" />
    <bpmn:intermediateCatchEvent id="Wait" name="Wait for payment"><bpmn:messageEventDefinition messageRef="Message_paid" /></bpmn:intermediateCatchEvent>
    <bpmn:sequenceFlow id="Flow_2" sourceRef="Wait" targetRef="End" />
    <bpmn:endEvent id="End" />`,
).replace(
  '<bpmn:process',
  '<bpmn:message id="Message_paid" name="paid"><bpmn:extensionElements><zeebe:subscription correlationKey="=orderID" /></bpmn:extensionElements></bpmn:message>\n  <bpmn:process',
);

/** Three parcels at once, each of which somebody packs. */
export const fileWithParcels = processFile(
  'with-parcels',
  `<bpmn:startEvent id="Start" />
    <bpmn:sequenceFlow id="Flow_1" sourceRef="Start" targetRef="Parcel" />
    <bpmn:subProcess id="Parcel" name="Parcel">
      <bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1, 2, 3]" inputElement="parcel" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>
      <bpmn:startEvent id="Begin" />
      <bpmn:sequenceFlow id="Flow_2" sourceRef="Begin" targetRef="Pack" />
      <bpmn:userTask id="Pack" name="Pack"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>
    </bpmn:subProcess>
    <bpmn:sequenceFlow id="Flow_3" sourceRef="Parcel" targetRef="End" />
    <bpmn:endEvent id="End" />`,
);

/** Nothing but an end. */
export const fileOfErrand = processFile('errand', '<bpmn:startEvent id="Start" />');

/** Calls fifty-one errands at once. */
export const fileWithErrands = processFile(
  'with-errands',
  `<bpmn:callActivity id="Run" name="Run errands">
      <bpmn:extensionElements><zeebe:calledElement processId="errand" /></bpmn:extensionElements>
      <bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=for errand in 1..51 return errand" inputElement="errand" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>
    </bpmn:callActivity>`,
);

/** A file with another id for one of its nodes: what stands there needs a mapping. */
export function withOtherID(xml: string, nodeID: string, otherID: string): string {
  return xml.replaceAll(`"${nodeID}"`, `"${otherID}"`);
}

/** One task after the other, drawn in lines of a hundred, and a person at the end. */
export function longFile(tasks: number): string {
  const shape = (id: string, x: number, y: number) =>
    `<bpmndi:BPMNShape id="Shape_${id}" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="100" height="80" /></bpmndi:BPMNShape>`;
  const ids = Array.from({ length: tasks }, (_, index) => `Task_${index}`);
  const flow = (from: string, to: string) =>
    `<bpmn:sequenceFlow id="Flow_${to}" sourceRef="${from}" targetRef="${to}" />`;
  const content = [
    '<bpmn:startEvent id="Start" />',
    ...ids.map((id, index) => `<bpmn:task id="${id}" />${flow(ids[index - 1] ?? 'Start', id)}`),
    `<bpmn:userTask id="Check" name="Check" />${flow(ids.at(-1)!, 'Check')}`,
  ];
  const drawing = [
    shape('Start', 0, 0),
    ...ids.map((id, index) => shape(id, 150 * (index % 100), 120 + 120 * Math.floor(index / 100))),
    shape('Check', 150, 0),
  ];
  return processFile('long', content.join(''))
    .replace(
      '<bpmn:definitions',
      '<bpmn:definitions xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"',
    )
    .replace(
      '</bpmn:definitions>',
      `<bpmndi:BPMNDiagram id="Diagram"><bpmndi:BPMNPlane id="Plane" bpmnElement="long">${drawing.join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></bpmn:definitions>`,
    );
}

/** A decision table, and an expression that requires it. */
export const fileWithDecisions = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="discounts" name="Discounts" namespace="urn:discounts">
  <inputData id="Input_amount" name="amount"><variable name="amount" typeRef="number" /></inputData>
  <decision id="Decision_discount" name="discount">
    <variable name="discount" typeRef="number" />
    <informationRequirement id="Requires_amount"><requiredInput href="#Input_amount" /></informationRequirement>
    <decisionTable id="Table" hitPolicy="UNIQUE">
      <input id="Column_amount" label="Amount of the order"><inputExpression id="Column_text" typeRef="number"><text>amount</text></inputExpression></input>
      <output id="Column_discount" name="discount" typeRef="number" />
      <rule id="Rule_small"><inputEntry id="Small"><text>&lt; 100</text></inputEntry><outputEntry id="Nothing"><text>0</text></outputEntry></rule>
      <rule id="Rule_large"><inputEntry id="Large"><text>&gt;= 100</text></inputEntry><outputEntry id="Tenth"><text>0.1</text></outputEntry></rule>
    </decisionTable>
  </decision>
  <decision id="Decision_price" name="price">
    <variable name="price" typeRef="number" />
    <informationRequirement id="Requires_discount"><requiredDecision href="#Decision_discount" /></informationRequirement>
    <informationRequirement id="Requires_amount_too"><requiredInput href="#Input_amount" /></informationRequirement>
    <literalExpression id="Net"><text>amount * (1 - discount)</text></literalExpression>
  </decision>
</definitions>`;
