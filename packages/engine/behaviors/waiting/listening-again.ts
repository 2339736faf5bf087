/**
 * Listening again after a non-interrupting event with several definitions occurred: it waits for all of its definitions
 * once more. Its host is still running, so an incident belongs to the event, not to the host.
 */
import type { BoundaryEventNode } from '../../elements/boundary-event.js';
import type { StartEventNode } from '../../elements/start-event.js';
import type { Node } from '../../model/graph.js';
import { nextID, record, waitsOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { listen } from './trigger-dispatch.js';
import { cancelWait } from './waits.js';

type Listener = BoundaryEventNode | StartEventNode;

/** Whether an incident at `node` is about listening, given that it belongs to another node's element instance. */
export function isListener(node: Node): node is Listener {
  return node.kind === 'boundaryEvent' || node.kind === 'startEvent';
}

/**
 * Listens for every definition of `event` on `host`.
 * @param previous the resolved incident that this retries
 */
export function listenAgain(run: Run, host: ElementInstance, event: Listener, previous?: number): void {
  const listening = listen(run, host, event, event.triggers);
  if (listening.ok) return awaitChange(run, host, event);
  // All or nothing: no definition may collect events that the others then miss.
  for (const wait of waitsOf(run, host.id))
    if (wait.node === event.id) cancelWait(run, wait, 'the event could not listen again');
  const { errorType, errorCode, message } = listening.failure;
  record(run, {
    kind: 'INCIDENT_RAISED',
    incident: nextID(run),
    element: host.id,
    node: event.id,
    errorType,
    ...(errorCode !== undefined && { errorCode }),
    message,
    ...(previous !== undefined && { previous }),
  });
}

/** Marks each condition as met: it occurs again only after it has been false in between. */
function awaitChange(run: Run, host: ElementInstance, event: Listener): void {
  for (const wait of waitsOf(run, host.id)) {
    if (wait.kind === 'condition' && wait.node === event.id) record(run, { kind: 'CONDITION_MET', condition: wait.id });
  }
}
