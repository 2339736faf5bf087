/** BPMN models for tests: a test shows its whole model, one element per line. */
export {
  businessRuleTask,
  callActivity,
  receiveTask,
  scriptTask,
  serviceTask,
  task,
  userTask,
  type ActivityOptions,
  type CallActivityOptions,
  type ServiceTaskOptions,
  type UserTaskOptions,
} from './activities.js';
export * from './events.js';
export * from './gateways.js';
export * from './loops.js';
export { on, type CompensationOptions } from './event-definitions.js';
export { executionListeners, extensions, taskListeners, type Listeners, type Mappings } from './extensions.js';
export { sequenceFlow, sequenceFlows, type Flows } from './flows.js';
export { bpmnProcess, definitions, processModel, sequenceModel, type ProcessOptions } from './process.js';
export { root } from './root-elements.js';
export {
  adHocSubProcess,
  compensatedBy,
  eventSubProcess,
  subProcess,
  transaction,
  type AdHocOptions,
} from './scopes.js';
export { element, escape, tag, type Attributes, type Xml } from './xml.js';
