/** The registry: every kind of element and its behaviour. The compiler of the language names the one that was forgotten. */
import type { Node, NodeKind, NodeOf } from '../graph.js';
import { boundaryEvent } from './boundary-event.js';
import { callActivity } from './call-activity.js';
import type { ElementBehavior } from './element.js';
import { endEvent } from './end-event.js';
import { eventSubProcess } from './event-sub-process.js';
import { exclusiveGateway } from './exclusive-gateway.js';
import { intermediateCatchEvent } from './intermediate-catch-event.js';
import { parallelGateway } from './parallel-gateway.js';
import { process } from './process.js';
import { scriptTask } from './script-task.js';
import { serviceTask } from './service-task.js';
import { startEvent } from './start-event.js';
import { subProcess } from './sub-process.js';
import { userTask } from './user-task.js';

export const elements: { [K in NodeKind]: ElementBehavior<NodeOf<K>> } = {
  process,
  startEvent,
  endEvent,
  intermediateCatchEvent,
  boundaryEvent,
  serviceTask,
  userTask,
  scriptTask,
  exclusiveGateway,
  parallelGateway,
  subProcess,
  eventSubProcess,
  callActivity,
};

export function behaviorOf(node: Node): ElementBehavior<Node> {
  return elements[node.kind] as ElementBehavior<Node>;
}
