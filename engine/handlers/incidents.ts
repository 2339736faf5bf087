/** Resolving incidents: the failed activity runs again from its beginning, in the same scope. */
import { begin } from '../behaviors/activation.js';
import { isHolding } from '../behaviors/hold.js';
import { retryJoin } from '../behaviors/joins.js';
import { setLocal, variableScopeOf } from '../behaviors/variables.js';
import { record } from '../run.js';
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
