/** The open incidents and the process variables of a state, for the detail view and the replay view. */
import type { z } from 'zod';
import type { Incident, State } from '@perdure/engine/state/state.js';
import { ROOT } from '@perdure/engine/state/state.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { executionKey } from '../../../../store/sql/ids.js';
import { optional } from '../../../contract/wire.js';
import type { incident } from '../../incidents/shared/schemas.js';
import { scopeID } from './active-scopes.js';

export function openIncidents(state: State): z.output<typeof incident>[] {
  return Object.values(state.incidents).map((open) => toIncident(state, open));
}

export function processVariables(state: State): Variables {
  return state.elements[ROOT]?.variables ?? {};
}

function toIncident(
  state: State,
  { id, element, node, errorType, errorCode, message, at, previous }: Incident,
): z.output<typeof incident> {
  const standing = state.elements[element];
  return {
    incidentID: executionKey(state.workflowID, id),
    previousIncidentID: previous === undefined ? undefined : executionKey(state.workflowID, previous),
    nodeID: node,
    scopeID: standing && element !== ROOT ? scopeID(standing.scope) : undefined,
    errorType,
    errorCode: optional(errorCode),
    errorMessage: message,
    variables: element === ROOT ? undefined : standing?.variables,
    timestamp: at,
  };
}
