/** The registry of element kinds and their behaviors. A missing kind does not compile. */
import type { NodeKind, NodeOf } from '../model/graph.js';
import { adHocFlow } from './ad-hoc-flow.js';
import { adHocSubProcess } from './ad-hoc-sub-process.js';
import { boundaryEvent } from './boundary-event.js';
import { businessRuleTask } from './business-rule-task.js';
import { callActivity } from './call-activity.js';
import { complexGateway } from './complex-gateway.js';
import type { ElementBehavior } from './element.js';
import { endEvent } from './end-event.js';
import { eventBasedGateway } from './event-based-gateway.js';
import { eventSubProcess } from './event-sub-process.js';
import { exclusiveGateway } from './exclusive-gateway.js';
import { inclusiveGateway } from './inclusive-gateway.js';
import { intermediateCatchEvent } from './intermediate-catch-event.js';
import { intermediateThrowEvent } from './intermediate-throw-event.js';
import { manualTask } from './manual-task.js';
import { parallelGateway } from './parallel-gateway.js';
import { process } from './process.js';
import { receiveTask } from './receive-task.js';
import { scriptTask } from './script-task.js';
import { sendTask } from './send-task.js';
import { serviceTask } from './service-task.js';
import { startEvent } from './start-event.js';
import { subProcess } from './sub-process.js';
import { task } from './task.js';
import { transaction } from './transaction.js';
import { userTask } from './user-task.js';

export const elements: { [K in NodeKind]: ElementBehavior<NodeOf<K>> } = {
  process,
  startEvent,
  endEvent,
  intermediateCatchEvent,
  intermediateThrowEvent,
  boundaryEvent,
  serviceTask,
  sendTask,
  receiveTask,
  userTask,
  manualTask,
  task,
  scriptTask,
  businessRuleTask,
  exclusiveGateway,
  parallelGateway,
  inclusiveGateway,
  eventBasedGateway,
  complexGateway,
  subProcess,
  transaction,
  adHocSubProcess,
  adHocFlow,
  eventSubProcess,
  callActivity,
};
