/** Variables of scopes, and element data. */
import type { Variables } from '../contract/json.js';
import type { Appliers } from './applier.js';

export const variables = {
  VARIABLES_SET(state, fact) {
    const scope = state.elements[fact.scope]!;
    scope.variables = { ...scope.variables, ...fact.variables };
    if (fact.role === 'INPUT') scope.mapped = true;
  },
  VARIABLES_CLEARED(state, fact) {
    const scope = state.elements[fact.scope]!;
    const kept: Variables = { ...scope.variables };
    for (const name of fact.names) delete kept[name];
    scope.variables = kept;
  },
  ELEMENT_DATA_SET(state, fact) {
    const element = state.elements[fact.element]!;
    element.data = { ...element.data, ...fact.data };
  },
} satisfies Appliers;
