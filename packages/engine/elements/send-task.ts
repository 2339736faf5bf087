/** Send tasks: BPMN 2.0.2 section 10.3.3. A job worker sends the message, or the engine publishes it. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { compileJob, createJob, type JobDefinition } from '../behaviors/waiting/jobs.js';
import { publishMessage } from '../behaviors/waiting/messages.js';
import type { ActivityBase } from '../model/graph.js';
import { compileMessage, type MessageReference } from '../events/message.js';
import type { ElementBehavior } from './element.js';

export interface SendTaskNode extends ActivityBase {
  kind: 'sendTask';
  /** Exactly one of the two is present. */
  job?: JobDefinition;
  message?: MessageReference;
}

export const sendTask: ElementBehavior<SendTaskNode> = {
  isActivity: true,
  compile(source, compiler) {
    const publishes = !source.extension('taskDefinition') && source.attribute('messageRef') !== undefined;
    if (!publishes) return { job: compileJob(source, compiler) };
    const message = compileMessage(source, compiler, source);
    return message ? { message } : {};
  },
  enter(run, element, node) {
    if (node.job) {
      const created = createJob(run, element, node.job);
      if (!created.ok) fail(run, element, created.failure);
    } else {
      const published = publishMessage(run, element, node.message!);
      if (!published.ok) return fail(run, element, published.failure);
      complete(run, element);
    }
  },
  resume: (run, element, _node, _wait, payload) => complete(run, element, payload),
};
