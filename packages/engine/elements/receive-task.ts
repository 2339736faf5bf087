/** Receive tasks: BPMN 2.0.2 section 10.3.3. Each receives one message. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { subscribeToMessage } from '../behaviors/waiting/messages.js';
import type { ActivityBase } from '../model/graph.js';
import { compileMessage, type MessageReference } from '../events/message.js';
import type { ElementBehavior } from './element.js';

export interface ReceiveTaskNode extends ActivityBase {
  kind: 'receiveTask';
  message: MessageReference;
  /** Whether its message starts an instance. */
  instantiate?: true;
}

export const receiveTask: ElementBehavior<ReceiveTaskNode> = {
  isActivity: true,
  catches: true,
  compile(source, compiler) {
    const message = compileMessage(source, compiler, source);
    const instantiate = source.flag('instantiate', false);
    return { message: message ?? { name: { literal: '' } }, ...(instantiate && { instantiate }) };
  },
  enter(run, element, node) {
    const subscribed = subscribeToMessage(run, element, node.id, node.message);
    if (!subscribed.ok) fail(run, element, subscribed.failure);
  },
  resume: (run, element, _node, _wait, payload) => complete(run, element, payload),
};
