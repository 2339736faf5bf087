/**
 * An event with several definitions has happened, all of them, and does not interrupt: it waits for all of them once
 * more. What it listens beside is running, so an incident of listening belongs to the event and not to that.
 */
import type { BoundaryEventNode } from '../elements/boundary-event.js';
import type { StartEventNode } from '../elements/start-event.js';
import type { Node } from '../graph.js';
import { nextID, record, waitsOf, type Run } from '../run.js';
import type { ElementInstance } from '../state.js';
import { listen } from '../triggers/index.js';
import { cancelWait } from './waits.js';

type Listener = BoundaryEventNode | StartEventNode;

/** Whether an incident at `node` is one of listening, given that the element instance it belongs to is another node's. */
export function isListener(node: Node): node is Listener {
  return node.kind === 'boundaryEvent' || node.kind === 'startEvent';
}

/**
 * Listens for every definition of `event` beside `host`.
 * @param previous the resolved incident after which it is tried again
 */
export function listenAgain(run: Run, host: ElementInstance, event: Listener, previous?: number): void {
  const listening = listen(run, host, event, event.triggers);
  if (listening.ok) return awaitChange(run, host, event);
  // All or nothing: definitions that can be waited for must not gather what the others then miss.
  for (const wait of waitsOf(run, host.id)) if (wait.node === event.id) cancelWait(run, wait, 'the event cannot be waited for');
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

/** Each condition has been met: it happens again only after it has been false in between. */
function awaitChange(run: Run, host: ElementInstance, event: Listener): void {
  for (const wait of waitsOf(run, host.id)) {
    if (wait.kind === 'condition' && wait.node === event.id) record(run, { kind: 'CONDITION_MET', condition: wait.id });
  }
}
