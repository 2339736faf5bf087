import { expect, test } from 'vitest';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, type State, type Wait } from '@perdure/engine/state/state.js';
import { describeState, inWords, summarizeState } from '../../workflows/instance/ui-details.js';

const model = { graph: { processID: 'p' }, node: (id: string) => ({ id }) } as unknown as Model;
const waitingFor = (wait: object): State => ({
  ...newState('one'),
  waits: { 2: { id: 2, element: 1, node: 'late', ...wait } as Wait },
});

test('a timer that no calendar knows has a description', () => {
  for (const due of [8.64e15 + 1, Number.MAX_VALUE, Infinity, Number.NaN, -1e300]) {
    expect(describeState(model, waitingFor({ kind: 'timer', due }))).toContain('ms after 1970');
  }
  expect(describeState(model, waitingFor({ kind: 'timer', due: 0 }))).toContain('1970-01-01T00:00:00.000Z');
});

test('a wait that cannot be described has no description, and nothing else changes', () => {
  const strange = waitingFor({ kind: 'of a newer build' });
  expect(inWords(() => describeState(model, strange))).toBe('no description');
  expect(inWords(() => summarizeState(model, strange))).toBe('waits at late');
});
