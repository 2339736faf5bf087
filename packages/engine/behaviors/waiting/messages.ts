/** Messages and signals: publishing and waiting for them. Correlation happens outside the engine. */
import { failed, type Result } from '../../failure.js';
import { text, value } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Json } from '../../contract/json.js';
import { record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { parseTimeToLive } from '../../time/time-to-live.js';
import type { MessageReference } from '../../events/message.js';
import type { SignalTrigger } from '../../events/signal.js';
import { openSubscription } from './subscriptions.js';
import type { Thrown } from '../../events/trigger.js';

const THROWN: Result<Thrown> = { ok: true, value: 'THROWN' };

/** Publishes with the mapped inputs of the event or task as variables. */
export function publishMessage(run: Run, element: ElementInstance, message: MessageReference): Result<Thrown> {
  const name = nameOf(run, element, message.name, 'message name');
  if (!name.ok) return name;
  const correlation = correlationOf(run, element, message.correlation);
  if (!correlation.ok) return correlation;
  const ttl = timeToLive(run, element, message.ttl);
  if (!ttl.ok) return ttl;
  // One without a time to live is for the subscriptions that wait now.
  if (run.unkept !== undefined && ttl.value !== 0)
    return failed({
      errorType: 'SubscriptionError',
      errorCode: 'MESSAGE_LIMIT',
      message: `The message of ${element.node} was not published, because it could not be kept: ${run.unkept}. Resolve the incident to publish it, once messages have been taken, have expired, or were deleted.`,
    });
  record(run, {
    kind: 'MESSAGE_PUBLISHED',
    element: element.id,
    node: element.node,
    name: name.value,
    ...(correlation.value !== undefined && { correlation: correlation.value }),
    variables: { ...element.variables },
    ...(ttl.value !== undefined && { ttl: ttl.value }),
  });
  return THROWN;
}

/** Throws with the event's mapped inputs as variables. */
export function throwSignal(run: Run, element: ElementInstance, signal: SignalTrigger): Result<Thrown> {
  const name = nameOf(run, element, signal.name, 'signal name');
  if (!name.ok) return name;
  const ttl = timeToLive(run, element, signal.ttl);
  if (!ttl.ok) return ttl;
  record(run, {
    kind: 'SIGNAL_THROWN',
    element: element.id,
    node: element.node,
    name: name.value,
    variables: { ...element.variables },
    ...(ttl.value !== undefined && { ttl: ttl.value }),
  });
  return THROWN;
}

/** @param node the catching event or task */
export function subscribeToMessage(
  run: Run,
  element: ElementInstance,
  node: string,
  message: MessageReference,
): Result<void> {
  const name = nameOf(run, element, message.name, 'message name');
  if (!name.ok) return name;
  const correlation = correlationOf(run, element, message.correlation);
  if (!correlation.ok) return correlation;
  openSubscription(run, element, node, {
    type: 'message',
    name: name.value,
    ...(correlation.value !== undefined && { correlation: correlation.value }),
  });
  return { ok: true, value: undefined };
}

/** @param node the catching event */
export function subscribeToSignal(run: Run, element: ElementInstance, node: string, given: Expression): Result<void> {
  const name = nameOf(run, element, given, 'signal name');
  if (!name.ok) return name;
  openSubscription(run, element, node, { type: 'signal', name: name.value });
  return { ok: true, value: undefined };
}

function nameOf(run: Run, element: ElementInstance, expression: Expression, what: string): Result<string> {
  const name = text(run, element, expression, what);
  if (name.ok && name.value === '')
    return failed({
      errorType: 'SubscriptionError',
      errorCode: 'EMPTY_NAME',
      message: `The ${what} of ${element.node} must not be empty`,
    });
  return name;
}

function correlationOf(
  run: Run,
  element: ElementInstance,
  expression: Expression | undefined,
): Result<Json | undefined> {
  if (!expression) return { ok: true, value: undefined };
  const found = value(run, element, expression, `correlation key of ${element.node}`);
  if (!found.ok || (found.value !== null && !Array.isArray(found.value))) return found;
  return failed({
    errorType: 'SubscriptionError',
    errorCode: 'CORRELATION_KEY',
    message: `The correlation key of ${element.node} must be a string, a number, a boolean or a context, but is ${found.value === null ? 'null' : 'a list'}`,
  });
}

function timeToLive(
  run: Run,
  element: ElementInstance,
  expression: Expression | undefined,
): Result<number | undefined> {
  if (!expression) return { ok: true, value: undefined };
  const given = text(run, element, expression, `time to live of ${element.node}`);
  if (!given.ok) return given;
  const milliseconds = parseTimeToLive(given.value, run.now);
  if (milliseconds !== undefined) return { ok: true, value: milliseconds };
  return failed({
    errorType: 'SubscriptionError',
    errorCode: 'TIME_TO_LIVE',
    message: `The time to live of ${element.node} must be a duration such as PT1H or 1h30m, or an instant such as 2026-01-31T09:00:00Z`,
  });
}
