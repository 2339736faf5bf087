/** Small models in the dialect of Camunda 7. */

const NAMESPACES = [
  'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"',
  'xmlns:flowable="http://flowable.org/bpmn"',
].join(' ');

/** @param content of the process @param roots definitions next to it, such as messages */
export function camundaModel(content: string, roots = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions ${NAMESPACES} id="definitions" targetNamespace="http://perdure.test">
  ${roots}
  <process id="p" isExecutable="true">
    ${content}
  </process>
</definitions>
`;
}

/** Start event, the activity with the id `a`, end event. */
export function around(activity: string, roots = ''): string {
  return camundaModel(
    `<startEvent id="start"/>
    <sequenceFlow id="f1" sourceRef="start" targetRef="a"/>
    ${activity}
    <sequenceFlow id="f2" sourceRef="a" targetRef="end"/>
    <endEvent id="end"/>`,
    roots,
  );
}
