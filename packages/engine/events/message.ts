/**
 * Messages: BPMN 2.0.2 section 10.5.5.1. A catching event receives one message with its name and correlation key. A
 * throwing event publishes one, or leaves that to a job worker if it has a job definition.
 */
import { compileJob, createJob, type JobDefinition } from '../behaviors/waiting/jobs.js';
import { publishMessage, subscribeToMessage } from '../behaviors/waiting/messages.js';
import type { Expression } from '../model/graph.js';
import type { Compiler, SourceElement } from '../model/source.js';
import type { TriggerBehavior } from './trigger.js';

/** A `bpmn:message` as an event or task refers to it. */
export interface MessageReference {
  name: Expression;
  /** Absent: messages without a correlation key. */
  correlation?: Expression;
  /** How long a published message is buffered. */
  ttl?: Expression;
}

export interface MessageTrigger extends MessageReference {
  kind: 'message';
  /** For a throwing event: a job worker sends the message. */
  job?: JobDefinition;
}

const THROWING = ['intermediateThrowEvent', 'endEvent'];

export const message: TriggerBehavior<MessageTrigger> = {
  compile(definition, compiler, event) {
    const worked = THROWING.includes(event.type)
      ? [event, definition].find((holder) => holder.extension('taskDefinition'))
      : undefined;
    if (worked) return { kind: 'message', name: { literal: '' }, job: compileJob(worked, compiler) };
    const reference = compileMessage(definition, compiler, event);
    return reference && { kind: 'message', ...reference };
  },

  listen: (run, element, node, trigger) => subscribeToMessage(run, element, node.id, trigger),

  throw(run, element, _node, trigger) {
    if (!trigger.job) return publishMessage(run, element, trigger);
    const created = createJob(run, element, trigger.job);
    return created.ok ? { ok: true, value: 'WAITING' } : created;
  },
};

/**
 * Reads the message that `holder` (an event definition or a task) refers to.
 * @param at the element at which problems are reported
 */
export function compileMessage(
  holder: SourceElement,
  compiler: Compiler,
  at: SourceElement,
): MessageReference | undefined {
  const root = holder.reference('messageRef');
  const name = root?.name ?? '';
  if (!root || name === '') {
    compiler.problem('error', at, `${at.type} ${at.id} needs a message with a name (messageRef)`);
    return undefined;
  }
  const correlation =
    root.extension('subscription')?.attribute('correlationKey') ??
    at.extension('publishMessage')?.attribute('correlationKey');
  const ttl =
    at.extension('publishMessage')?.attribute('timeToLive') ?? holder.attribute('ttl') ?? root.attribute('ttl');
  return {
    name: compiler.expression(at, name, 'message name'),
    ...(correlation && { correlation: compiler.expression(at, correlation, 'correlation key') }),
    ...(ttl && { ttl: compiler.expression(at, ttl, 'time to live') }),
  };
}
