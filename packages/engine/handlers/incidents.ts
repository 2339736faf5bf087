/** Resolving incidents: the failed activity runs again from its start, in the same scope. */
import { begin } from '../behaviors/lifecycle/activation.js';
import { roomAt } from '../behaviors/lifecycle/capacity.js';
import { isHalting } from '../behaviors/lifecycle/halt.js';
import { retryJoin } from '../behaviors/flow/joins.js';
import { isListener, listenAgain } from '../behaviors/waiting/listening-again.js';
import { setLocal, variableScopeOf } from '../behaviors/data/variables.js';
import { record, type Run } from '../run.js';
import { runsListeners } from '../state/element-data.js';
import { ROOT, type ElementInstance, type Incident } from '../state/state.js';
import { APPLIED, rejected, type Handler } from './handler.js';

export const resolveIncident: Handler<'RESOLVE_INCIDENT'> = (run, command) => {
  const incident = run.state.incidents[command.incident];
  if (!incident) return rejected('CONFLICT', `Incident ${command.incident} is no longer open`);
  const element = run.state.elements[incident.element]!;
  const onlyHalted = isHalting(run.state, incident.id);
  if (command.variables) {
    const room = roomAt(run, variableScopeOf(run, element), command.variables);
    if (!room.ok) return rejected('BAD_REQUEST', room.failure.message);
    setLocal(run, variableScopeOf(run, element), command.variables);
  }
  record(run, {
    kind: 'INCIDENT_RESOLVED',
    incident: incident.id,
    ...(command.actor !== undefined && { actor: command.actor }),
  });
  // A halted instance moves again without being restarted; the process starts again only if a defect kept it from
  // starting.
  if (!onlyHalted || isUnbegun(run, element)) retry(run, element, incident);
  // A listener whose variables had no room halted it. A job that is open stays.
  else if (runsListeners(element)) record(run, { kind: 'ELEMENT_CONTINUED', element: element.id, again: true });
  return APPLIED;
};

function isUnbegun({ state }: Run, { id, inside }: ElementInstance): boolean {
  return id === ROOT && inside === 0 && state.lastID === ROOT + 1;
}

/** While the instance is paused nothing is retried yet. Joins are checked anyway once something moves. */
function retry(run: Run, element: ElementInstance, incident: Incident): void {
  // The next pass over the conditions evaluates it.
  if (incident.condition !== undefined) return;
  const isAtJoin = incident.node !== element.node;
  const node = run.model.node(incident.node);
  // Listening does not move anything.
  if (isAtJoin && isListener(node)) return listenAgain(run, element, node, incident.id);
  if (run.paused) {
    if (!isAtJoin) record(run, { kind: 'RETRY_DEFERRED', element: element.id });
  } else if (isAtJoin) {
    retryJoin(run, incident);
  } else {
    begin(run, element);
  }
}
