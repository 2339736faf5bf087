/** Checks listeners of elements and of user tasks: a listener that would never run, or not as its model says, is refused. */
import { taskEventOf, TASK_EVENTS } from '@perdure/engine/behaviors/listeners/task-events.js';
import type { SourceExtension } from '@perdure/engine/model/source.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { hasListeners, insteadOfListener, LISTENER_PHASES } from '@perdure/lib/model-files/listener-phases.js';
import type { BpmnElement } from '../read/document.js';

/** Reports listeners of an event that their element does not have, that repeat each other, or that lack something. */
export function checkListeners(element: BpmnElement, problems: Diagnostics): void {
  const given = element.extension('executionListeners')?.children('executionListener') ?? [];
  if (given.length > 0 && !hasListeners(element.type))
    return problems.error(
      element.id,
      `${element.type} ${element.id} has listeners (executionListeners) that would never run. Processes, activities, events, and gateways have them.`,
    );
  const seen = new Set<string>();
  for (const listener of given) {
    const why = whyRefused(element, listener, seen);
    if (why !== undefined) problems.error(element.id, `An execution listener of ${element.type} ${element.id} ${why}`);
  }
}

function whyRefused(element: BpmnElement, listener: SourceExtension, seen: Set<string>): string | undefined {
  const eventType = listener.attribute('eventType') ?? '';
  const phase = LISTENER_PHASES.find((known) => known === eventType);
  if (!phase) return `has the eventType ${JSON.stringify(eventType)}, but it can be ${LISTENER_PHASES.join(' or ')}`;
  const instead = insteadOfListener(
    {
      type: element.type,
      definitions: element.eventDefinitions().map(({ type }) => type),
      instantiates: element.flag('instantiate', false),
    },
    phase,
  );
  if (instead !== undefined) return `would never run at its ${phase}: ${instead}`;
  return whyNoJob(listener, phase, seen);
}

function whyNoJob(listener: SourceExtension, event: string, seen: Set<string>): string | undefined {
  const type = listener.attribute('type') ?? '';
  if (type === '') return 'needs the type of its job';
  const key = `${event} ${type}`;
  if (seen.has(key)) return `repeats another one with the eventType ${event} and the type ${type}. Remove one.`;
  seen.add(key);
  return undefined;
}

/** Reports listeners of a user task with an event that tasks do not have, that repeat each other, or that lack something. */
export function checkTaskListeners(element: BpmnElement, problems: Diagnostics): void {
  const seen = new Set<string>();
  for (const listener of element.extension('taskListeners')?.children('taskListener') ?? []) {
    const why = whyTaskListenerRefused(listener, seen);
    if (why !== undefined) problems.error(element.id, `A task listener of ${element.type} ${element.id} ${why}`);
  }
}

function whyTaskListenerRefused(listener: SourceExtension, seen: Set<string>): string | undefined {
  const given = listener.attribute('eventType') ?? '';
  const event = taskEventOf(given);
  if (!TASK_EVENTS.some((known) => known === event))
    return `has the eventType ${JSON.stringify(given)}, but it can be ${TASK_EVENTS.slice(0, -1).join(', ')} or ${TASK_EVENTS.at(-1)}`;
  return whyNoJob(listener, event, seen);
}
