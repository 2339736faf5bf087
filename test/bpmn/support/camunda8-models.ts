/** Minimal models around an extension element of Camunda 8, by the BPMN element that holds it. */
import { extended, file, flow, processFile, through } from './model.js';

export interface Attributes {
  readonly [name: string]: string;
}

const JOB = '<zeebe:taskDefinition type="base"/>';
const SCRIPT = '<zeebe:script expression="=1" resultVariable="r"/>';
const CALL = '<zeebe:calledElement processId="other"/>';

/** `own` is needed unless the extension under test is of the same kind. */
function withOwn(own: string, extension: string): string {
  const kind = /^<(zeebe:\w+)/.exec(own)?.[1] ?? 'none';
  return extension.includes(`<${kind}`) ? extension : own + extension;
}

const node =
  (element: string, own = '', children = '') =>
  (extension: string) =>
    through(extended(`${element} id="m"`, withOwn(own, extension), children));

const MESSAGE = '<bpmn:message id="msg" name="sent"/>';
const thrown = '<bpmn:messageEventDefinition messageRef="msg"/>';
const withMessage = (xml: string) => xml.replace('<bpmn:process', `${MESSAGE}<bpmn:process`);

const FORM = '{"type":"default","components":[]}';
const start = (extension: string) =>
  file(
    `<bpmn:process id="p" isExecutable="true"><bpmn:extensionElements><zeebe:userTaskForm id="f">${FORM}</zeebe:userTaskForm></bpmn:extensionElements>${extended('startEvent id="m"', extension)}</bpmn:process>`,
  );

/** The job of a message event comes from the task definition, and headers need one. */
const throwing = (element: string) => (extension: string) =>
  withMessage(
    element === 'endEvent'
      ? processFile(
          `<bpmn:startEvent id="s"/>${extended('endEvent id="m"', withOwn(JOB, extension), thrown)}${flow('f', 's', 'm')}`,
        )
      : through(extended(`${element} id="m"`, withOwn(JOB, extension), thrown)),
  );

export const holders: { readonly [type: string]: (extension: string) => string } = {
  /** Outputs, headers and a priority need its job, which excludes a collection of active elements. */
  AdHocSubProcess: (extension) =>
    node('adHocSubProcess', extension.includes('activeElements') ? '' : JOB, '<bpmn:task id="t"/>')(extension),
  BusinessRuleTask: (extension) => node('businessRuleTask', extension.includes('calledDecision') ? '' : JOB)(extension),
  CallActivity: node('callActivity', CALL),
  ConditionalEventDefinition: (extension) =>
    through(
      `<bpmn:intermediateCatchEvent id="m"><bpmn:conditionalEventDefinition><bpmn:extensionElements>${extension}</bpmn:extensionElements><bpmn:condition>=x</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:intermediateCatchEvent>`,
    ),
  EndEvent: throwing('endEvent'),
  Event: node('intermediateCatchEvent', '', '<bpmn:signalEventDefinition signalRef="sig"/>'),
  ExclusiveGateway: node('exclusiveGateway'),
  IntermediateThrowEvent: throwing('intermediateThrowEvent'),
  Message: (extension) =>
    through(
      '<bpmn:intermediateCatchEvent id="m"><bpmn:messageEventDefinition messageRef="msg"/></bpmn:intermediateCatchEvent>',
    ).replace(
      '<bpmn:process',
      `<bpmn:message id="msg" name="x"><bpmn:extensionElements>${withOwn('<zeebe:subscription correlationKey="=k"/>', extension)}</bpmn:extensionElements></bpmn:message><bpmn:process`,
    ),
  MultiInstanceLoopCharacteristics: (extension) =>
    through(
      `<bpmn:task id="m"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements>${extension}</bpmn:extensionElements><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:task>`,
    ),
  Process: (extension) =>
    through(extended('serviceTask id="m"', JOB)).replace(
      'isExecutable="true">',
      `isExecutable="true"><bpmn:extensionElements>${extension}</bpmn:extensionElements>`,
    ),
  ReceiveTask: (extension) =>
    withMessage(node('receiveTask messageRef="msg"')(extension)).replace(
      MESSAGE,
      '<bpmn:message id="msg" name="x"><bpmn:extensionElements><zeebe:subscription correlationKey="=k"/></bpmn:extensionElements></bpmn:message>',
    ),
  ScriptTask: node('scriptTask', SCRIPT),
  SendTask: node('sendTask', JOB),
  ServiceTask: node('serviceTask', JOB),
  StartEvent: start,
  SubProcess: node('subProcess', '', '<bpmn:startEvent id="i"/>'),
  Task: node('task'),
  UserTask: node('userTask'),
};
const withSignal = holders['Event']!;
Object.assign(holders, {
  Event: (extension: string) =>
    withSignal(extension).replace('<bpmn:process', '<bpmn:signal id="sig" name="all"/><bpmn:process'),
});

const BOUND = { bindingType: 'versionTag', versionTag: 'v1' };

/** Attributes by element, by `element.attribute`, or by `element.attribute@Holder`. */
export const SAMPLES: { readonly [what: string]: Attributes } = {
  adHoc: { activeElementsCollection: '=["t"]' },
  'adHoc.outputCollection': { outputCollection: 'results', outputElement: '=x' },
  'adHoc.outputElement': { outputCollection: 'results', outputElement: '=x' },
  agentDefinition: { agentType: 'x' },
  assignmentDefinition: { assignee: 'a', candidateGroups: 'g', candidateUsers: 'u' },
  calledDecision: { decisionId: 'd', resultVariable: 'r', ...BOUND },
  calledElement: {
    processId: 'q',
    propagateAllChildVariables: 'false',
    propagateAllParentVariables: 'false',
    ...BOUND,
  },
  'calledElement.processIdExpression': { processId: 'q', processIdExpression: '=x' },
  'calledElement.businessId': { processId: 'q', businessId: 'b' },
  conditionalFilter: { variableNames: 'x', variableEvents: 'create' },
  formDefinition: { formId: 'f', ...BOUND },
  'formDefinition.formKey': { formKey: 'k' },
  'formDefinition.externalReference': { externalReference: 'x' },
  'formDefinition.formKey@StartEvent': { formKey: 'camunda-forms:bpmn:f' },
  'formDefinition.bindingType@StartEvent': { formId: 'f', ...BOUND },
  'formDefinition.versionTag@StartEvent': { formId: 'f', ...BOUND },
  header: { id: 'h', key: 'k', value: 'v' },
  input: { source: '=1', target: 'a', modelerConfigurationTemplate: 't', modelerConfigurationName: 'n' },
  jobPriorityDefinition: { priority: '7' },
  loopCharacteristics: {
    inputCollection: '=[1]',
    inputElement: 'i',
    outputCollection: 'o',
    outputElement: '=i',
  },
  output: { source: '=1', target: 'a' },
  priorityDefinition: { priority: '7' },
  property: { name: 'a', value: 'b', modelerConfigurationTemplate: 't', modelerConfigurationName: 'n' },
  script: { expression: '=2', resultVariable: 'q' },
  subscription: { correlationKey: '=other' },
  taskDefinition: { type: 'work', retries: '5' },
  taskSchedule: { dueDate: 'P1D', followUpDate: 'P2D' },
  userTaskForm: { id: 'g' },
  versionTag: { value: 'v1' },
  executionListener: { eventType: 'start', retries: '5', type: 'l' },
  taskListener: { eventType: 'creating', retries: '5', type: 'l' },
  linkedResource: {
    resourceId: 'r',
    resourceType: 'RPA',
    linkName: 'l',
    bindingType: 'latest',
    versionTag: 'v',
  },
};

const CHILDREN: { readonly [container: string]: string } = {
  executionListeners: '<zeebe:executionListener eventType="start" type="l"/>',
  taskListeners: '<zeebe:taskListener eventType="completing" type="l"/>',
  ioMapping: '<zeebe:output source="=1" target="a"/>',
  properties: '<zeebe:property name="a" value="b"/>',
  taskHeaders: '<zeebe:header key="k" value="v"/>',
  userTaskForm: FORM,
};

const AROUND: { readonly [child: string]: string } = {
  executionListener: 'executionListeners',
  header: 'taskHeaders',
  input: 'ioMapping',
  linkedResource: 'linkedResources',
  output: 'ioMapping',
  property: 'properties',
  taskListener: 'taskListeners',
};

/** The extension element with its children, inside the element that contains it. */
export function tagOf(name: string, attributes: Attributes): string {
  const text = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`)
    .join('');
  const own = `<zeebe:${name}${text}>${CHILDREN[name] ?? ''}</zeebe:${name}>`;
  const around = AROUND[name];
  return around ? `<zeebe:${around}>${own}</zeebe:${around}>` : own;
}
