/** BPMN files that tests of the console deploy. Most have no diagram: where nothing is drawn, nothing needs one. */
import {
  adHocSubProcess,
  bpmnProcess,
  callActivity,
  catchEvent,
  definitions,
  endEvent,
  multiInstance,
  on,
  processModel,
  root,
  startEvent,
  subProcess,
  tag,
  task,
  userTask,
} from '@perdure/testkit/models';

const nameForm = {
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
};

/** A user task whose form is part of the file: a text field that has to be filled in. */
export const fileWithForm = definitions(
  bpmnProcess(
    'with-form',
    [
      startEvent('Start'),
      userTask('Ask', { name: 'Ask for the name', formKey: 'camunda-forms:bpmn:nameForm' }),
      endEvent('End'),
    ],
    'Start -> Ask -> End',
    { extensions: tag('zeebe:userTaskForm', { id: 'nameForm' }, JSON.stringify(nameForm)) },
  ),
);

/** An ad-hoc sub-process that waits until an activity is chosen. */
export const fileWithAdHoc = processModel(
  'with-ad-hoc',
  [
    startEvent('Start'),
    adHocSubProcess('AdHoc', [userTask('Call', { name: 'Call' }), userTask('Write', { name: 'Write a letter' })], [], {
      name: 'Care for the customer',
    }),
    endEvent('End'),
  ],
  'Start -> AdHoc -> End',
);

/** Waits for a message by its correlation. */
export const fileWithMessage = processModel(
  'with-message',
  [startEvent('Start'), catchEvent('Wait', on.message('paid'), { name: 'Wait for payment' }), endEvent('End')],
  'Start -> Wait -> End',
  root.message('paid', '=orderID'),
);

/** Three parcels at once, each with a job. */
export const fileWithParcels = processModel(
  'with-parcels',
  [
    startEvent('Start'),
    subProcess('Parcel', [startEvent('Begin'), userTask('Pack', { name: 'Pack' })], 'Begin -> Pack', {
      name: 'Parcel',
      loop: multiInstance('=[1, 2, 3]', { element: 'parcel' }),
    }),
    endEvent('End'),
  ],
  'Start -> Parcel -> End',
);

/** Nothing but a start. */
export const fileOfErrand = processModel('errand', startEvent('Start'), []);

/** Calls fifty-one errands at once. */
export const fileWithErrands = processModel(
  'with-errands',
  callActivity('Run', 'errand', {
    name: 'Run errands',
    loop: multiInstance('=for errand in 1..51 return errand', { element: 'errand' }),
  }),
  [],
);

/** A file with another id for one of its nodes: a token there needs a mapping. */
export function withOtherID(xml: string, nodeID: string, otherID: string): string {
  return xml.replaceAll(`"${nodeID}"`, `"${otherID}"`);
}

/** One task after the other, drawn in lines of a hundred, and a person at the end. */
export function longFile(tasks: number): string {
  const ids = Array.from({ length: tasks }, (_, index) => `Task_${index}`);
  const file = processModel(
    'long',
    [startEvent('Start'), ids.map((id) => task(id)), userTask('Check', { name: 'Check' })],
    ['Start', ...ids, 'Check'].join(' -> '),
  );
  return withDiagram(file, 'long', [
    shape('Start', 0, 0),
    ...ids.map((id, index) => shape(id, 150 * (index % 100), 120 + 120 * Math.floor(index / 100))),
    shape('Check', 150, 0),
  ]);
}

/** The file with a diagram of these shapes. */
export function withDiagram(xml: string, processID: string, shapes: readonly string[]): string {
  const plane = tag('bpmndi:BPMNPlane', { id: 'Plane', bpmnElement: processID }, shapes);
  return xml
    .replace(
      '<bpmn:definitions',
      '<bpmn:definitions xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"',
    )
    .replace('</bpmn:definitions>', `${tag('bpmndi:BPMNDiagram', { id: 'Diagram' }, plane)}</bpmn:definitions>`);
}

/** A shape of 100 by 80. */
export function shape(id: string, x: number, y: number): string {
  return tag(
    'bpmndi:BPMNShape',
    { id: `Shape_${id}`, bpmnElement: id },
    tag('dc:Bounds', { x, y, width: 100, height: 80 }),
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
