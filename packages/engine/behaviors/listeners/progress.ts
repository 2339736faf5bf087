/**
 * How far the execution listeners of an element have come. Those of its start run after its input mappings and before it
 * listens, waits, or works. Those of its end run after its output mappings, when it listens to nothing anymore. They run
 * one after another, each as a job.
 */
import type { ListenerEvent } from '../../contract/facts.js';
import type { Json, Variables } from '../../contract/json.js';
import type { Node } from '../../model/graph.js';
import { record, waitsOf, type Run } from '../../run.js';
import { listeningOf, listenerData, runsListeners } from '../../state/element-data.js';
import type { ElementInstance, JobWait } from '../../state/state.js';
import { closeWaits } from '../lifecycle/cancellation.js';
import { raiseIncident } from '../lifecycle/failures.js';
import { createJob } from '../waiting/jobs.js';

/** The event that led to an element whose listeners run first. */
interface Arrival {
  payload?: Variables | undefined;
  /** The event that the node waits for has already occurred. */
  caught: boolean;
}

/**
 * Creates the job of the next listener of the start, unless all are done.
 * @returns whether the element waits for one
 */
export function waitsAtStart(run: Run, element: ElementInstance, node: Node, { payload, caught }: Arrival): boolean {
  const progress = listeningOf(element);
  if (progress?.event === 'started' || (!progress && !node.listeners?.start)) return false;
  if (!progress)
    remember(run, element, 'start', 0, {
      ...(payload && { payload: payload as Json }),
      ...(caught && { caught: true }),
    });
  if (opensNext(run, element, node, 'start')) return true;
  record(run, {
    kind: 'ELEMENT_DATA_SET',
    element: element.id,
    data: { ...listenerData({ event: 'started' }), ...(element.data?.['payload'] !== undefined && { payload: {} }) },
  });
  return false;
}

/** Called when a modification opens the scope: it has begun without the listeners of its start. */
export function skipStart(run: Run, scope: ElementInstance, node: Node): void {
  if (node.listeners?.start)
    record(run, { kind: 'ELEMENT_DATA_SET', element: scope.id, data: listenerData({ event: 'started' }) });
}

/**
 * Creates the job of the next listener of the end, unless all are done.
 * @returns whether the element waits for one
 */
export function waitsAtEnd(run: Run, element: ElementInstance, node: Node): boolean {
  if (!isLeaving(element)) {
    if (!node.listeners?.end) return false;
    closeWaits(run, element, 'the element has completed');
    remember(run, element, 'end', 0);
  }
  return opensNext(run, element, node, 'end');
}

/** Whether its output mappings are done, and only its listeners and its sequence flows are left. */
export function isLeaving(element: ElementInstance): boolean {
  return listeningOf(element)?.event === 'end';
}

/** The variables of the event that led to an element whose listeners run first. */
export function heldPayload(element: ElementInstance): Variables | undefined {
  if (listeningOf(element)?.event !== 'start') return undefined;
  return element.data?.['payload'] as Variables | undefined;
}

/** Notes that the current listener is done. */
export function passListener(run: Run, element: ElementInstance): void {
  const progress = listeningOf(element);
  if (progress && progress.event !== 'started') remember(run, element, progress.event, progress.at + 1);
}

/** Whether an element whose listeners run waits neither for a job nor at an incident, so that it can continue. */
export function isFree(run: Run, element: ElementInstance): boolean {
  return element.incident === undefined && openListener(run, element) === undefined;
}

/** The job of the listener that runs. */
export function openListener(run: Run, element: ElementInstance): JobWait | undefined {
  return waitsOf(run, element.id).find(
    (wait): wait is JobWait => wait.kind === 'job' && wait.listener?.kind === 'EXECUTION',
  );
}

/** Why nothing can be started inside a scope now; undefined if its listeners do not run. */
export function whyClosed(scope: ElementInstance): string | undefined {
  if (!runsListeners(scope)) return undefined;
  const phase = isLeaving(scope) ? 'end' : 'start';
  return `the execution listeners at the ${phase} of ${scope.node} run, so nothing inside can start`;
}

function opensNext(run: Run, element: ElementInstance, node: Node, event: ListenerEvent): boolean {
  const progress = listeningOf(element);
  const job = progress && progress.event !== 'started' ? node.listeners?.[event]?.[progress.at] : undefined;
  if (!job) return false;
  const created = createJob(run, element, job, { listener: { kind: 'EXECUTION', eventType: event } });
  // A failure of a listener is not one of the element, so nothing in the model catches it.
  if (!created.ok) raiseIncident(run, element, created.failure);
  return true;
}

export function remember(
  run: Run,
  element: ElementInstance,
  event: ListenerEvent,
  at: number,
  also: { [name: string]: Json } = {},
): void {
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { ...listenerData({ event, at }), ...also } });
}
