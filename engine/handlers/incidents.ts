/** Resolving incidents: the failed activity runs again from its beginning, in the same scope. */
import { begin } from '../behaviors/activation.js';
import { isHolding } from '../behaviors/hold.js';
import { retryJoin } from '../behaviors/joins.js';
import { setLocal } from '../behaviors/variables.js';
import { behaviorOf } from '../elements/index.js';
import { nodeOf, record, scopeOf, type Run } from '../run.js';
import type { ElementInstance } from '../state.js';
import { APPLIED, rejected, type Handler } from './handler.js';

export const resolveIncident: Handler<'RESOLVE_INCIDENT'> = (run, command) => {
  const incident = run.state.incidents[command.incident];
  if (!incident) return rejected('CONFLICT', `Incident ${command.incident} is not open any more`);
  const element = run.state.elements[incident.element]!;
  const onlyHeld = isHolding(run.state, incident.id);
  if (command.variables) setLocal(run, variableScopeOf(run, element), command.variables);
  record(run, { kind: 'INCIDENT_RESOLVED', incident: incident.id, ...(command.actor !== undefined && { actor: command.actor }) });
  if (incident.node !== element.node) retryJoin(run, incident);
  // What was held moves on by itself; the process does not begin again.
  else if (!onlyHeld) begin(run, element);
  return APPLIED;
};

/** An activity has a scope of its own; for events and gateways it is the scope around them. */
function variableScopeOf(run: Run, element: ElementInstance): ElementInstance {
  return behaviorOf(nodeOf(run, element)).isActivity ? element : (scopeOf(run, element) ?? element);
}
