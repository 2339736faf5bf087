/** The shapes of instances that continue for long. */

export interface LongRun {
  name: string;
  xml: string;
  variables: object;
  /** A turn is a job of type `long-run`; otherwise the variable `done` counts them. */
  jobs?: true;
}

const LOOP_TURNS = 100_000;
const ITEMS = 10_000;

const count = (id: string, loop = '') =>
  `<scriptTask id="${id}"><extensionElements><zeebe:script expression="=done + 1" resultVariable="done"/></extensionElements>${loop}</scriptTask>`;

const forEach = (isSequential: boolean) =>
  `<multiInstanceLoopCharacteristics isSequential="${isSequential}"><extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputElement="=item" outputCollection="results"/></extensionElements></multiInstanceLoopCharacteristics>`;

function model(id: string, elements: string): string {
  return `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions_${id}" targetNamespace="bench">
    <process id="${id}" isExecutable="true"><startEvent id="start"/>${elements}<endEvent id="end"/></process></definitions>`;
}

function around(id: string, task: string): string {
  return model(
    id,
    `${task}<sequenceFlow id="a" sourceRef="start" targetRef="turn"/><sequenceFlow id="b" sourceRef="turn" targetRef="end"/>`,
  );
}

const throughGateways = `<exclusiveGateway id="again"/>${count('turn')}<exclusiveGateway id="enough" default="more"/>
  <sequenceFlow id="a" sourceRef="start" targetRef="again"/><sequenceFlow id="b" sourceRef="again" targetRef="turn"/><sequenceFlow id="c" sourceRef="turn" targetRef="enough"/>
  <sequenceFlow id="more" sourceRef="enough" targetRef="again"/><sequenceFlow id="d" sourceRef="enough" targetRef="end"><conditionExpression>=done >= ${LOOP_TURNS}</conditionExpression></sequenceFlow>`;

const job = (loop: string) =>
  `<serviceTask id="turn"><extensionElements><zeebe:taskDefinition type="long-run"/></extensionElements>${loop}</serviceTask>`;

const items = Array.from({ length: ITEMS }, (_, index) => index);

export const longRuns: LongRun[] = [
  { name: 'loop-through-gateways', xml: model('throughGateways', throughGateways), variables: { done: 0 } },
  {
    name: 'standard-loop',
    xml: around('standardLoop', count('turn', `<standardLoopCharacteristics loopMaximum="${LOOP_TURNS}"/>`)),
    variables: { done: 0 },
  },
  {
    name: 'sequential-scripts',
    xml: around('sequentialScripts', count('turn', forEach(true))),
    variables: { done: 0, items },
  },
  { name: 'parallel-jobs', xml: around('parallelJobs', job(forEach(false))), variables: { items }, jobs: true },
  {
    name: 'sequential-jobs',
    xml: around('sequentialJobs', job(forEach(true))),
    variables: { items: items.slice(0, ITEMS / 10) },
    jobs: true,
  },
];
