/** The table of phases and facts refuses what no run may record. */
import { expect, it } from 'vitest';
import { apply } from '@perdure/engine/apply.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { applyChecked, phaseOf } from '@perdure/engine/state/lifecycle.js';
import { newState, ROOT } from '@perdure/engine/state/state.js';

function stateAfter(...facts: Fact[]) {
  const state = newState('instance-1');
  for (const fact of facts) applyChecked(apply, state, fact, 0);
  return state;
}

const begin: Fact[] = [
  { kind: 'INSTANCE_STARTED' },
  { kind: 'ELEMENT_ACTIVATED', element: ROOT, node: 'p', scope: 0 },
  { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'a', scope: ROOT },
];

it('the table of phases knows the phase of an element instance from its activation to its end', () => {
  expect(phaseOf(stateAfter(...begin), 3)).toBe('ABSENT');
  expect(phaseOf(stateAfter(...begin), 2)).toBe('ENTERED');
  expect(phaseOf(stateAfter(...begin, { kind: 'ELEMENT_BEGUN', element: 2 }), 2)).toBe('LISTENING');
  expect(phaseOf(stateAfter(...begin, { kind: 'ELEMENT_COMPLETED', element: 2 }), 2)).toBe('ENDED');
});

it.each<[string, Fact[], RegExp]>([
  ['a second activation', [{ kind: 'ELEMENT_ACTIVATED', element: 2, node: 'a', scope: ROOT }], /from ENTERED to/],
  [
    'boundary events that listen before their activity starts',
    [
      { kind: 'ELEMENT_ACTIVATED', element: 3, node: 'a', scope: ROOT, placed: true },
      { kind: 'ELEMENT_BEGUN', element: 3 },
    ],
    /from PLACED to/,
  ],
  [
    'the completion of an element that only waits for its continuation',
    [
      { kind: 'ELEMENT_ACTIVATED', element: 3, node: 'a', scope: ROOT, placed: true },
      { kind: 'ELEMENT_COMPLETED', element: 3 },
    ],
    /from PLACED to ENDED/,
  ],
])('the table of phases refuses %s', (_what, facts, message) => {
  expect(() => stateAfter(...begin, ...facts)).toThrow(message);
});
