/** BPMN files that tests of the console deploy. Most have no diagram: where nothing is drawn, nothing needs one. */
const namespaces = 'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"';

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
  `<zeebe:userTaskForm id="nameForm">${JSON.stringify({ type: 'default', id: 'nameForm', schemaVersion: 16, components: [{ type: 'textfield', id: 'Field_name', key: 'name', label: 'Name', validate: { required: true } }, { type: 'select', id: 'Field_size', key: 'size', label: 'Size', values: [{ label: 'Small', value: 's' }, { label: 'Large', value: 'l' }] }] })}</zeebe:userTaskForm>`,
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
