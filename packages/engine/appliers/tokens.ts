/** Tokens on sequence flows. */
import type { Appliers } from './applier.js';

export const tokens = {
  TOKEN_ARRIVED(state, _fact, now) {
    state.arrived.push({ ...state.moving.shift()!, at: now });
  },
  TOKEN_CANCELED(state, { flow, scope }) {
    const tokens = state.arrived.some((token) => token.flow === flow && token.scope === scope)
      ? state.arrived
      : state.moving;
    tokens.splice(
      tokens.findIndex((token) => token.flow === flow && token.scope === scope),
      1,
    );
    state.elements[scope]!.inside -= 1;
  },
  TOKENS_DROPPED(state, fact) {
    const before = state.moving.length + state.arrived.length;
    state.moving = state.moving.filter((token) => token.scope !== fact.scope);
    state.arrived = state.arrived.filter((token) => token.scope !== fact.scope);
    state.elements[fact.scope]!.inside -= before - state.moving.length - state.arrived.length;
  },
} satisfies Appliers;
