import { expect, it } from 'vitest';
import { conversationAsOf } from '../../console/screens/instance/tabs/agent/as-of.js';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1_000).toISOString();
const called = { id: 'call_1_1', elementId: 'search', arguments: { query: 'order 17' } };
const turns = [
  {
    elementInstanceID: '5',
    turn: 1,
    startedAt: at(0),
    durationMs: 2_000,
    inputTokens: 9,
    outputTokens: 1,
    cost: { amount: '1', currency: 'EUR' },
    text: 'I look it up.',
    toolCalls: [{ ...called, result: 'shipped', approved: true }],
  },
  { elementInstanceID: '5', turn: 2, startedAt: at(10), durationMs: 1_000, text: 'Tomorrow.', toolCalls: [] },
  { elementInstanceID: '9', turn: 1, startedAt: at(10), durationMs: 1_000, text: 'Hello.', toolCalls: [] },
];
const asked = (turn: number, seconds: number, elementInstanceID = '5') => ({
  elementInstanceID,
  turn,
  startedAt: at(seconds),
  toolCalls: [],
});

it('a conversation now is the whole one', () => {
  expect(conversationAsOf(turns, undefined)).toEqual(turns);
  expect(conversationAsOf(turns, at(60))).toEqual(turns);
});

it('a turn at an earlier step has no answer yet, or was not asked yet', () => {
  const later = [
    { ...asked(2, 10), isLater: true },
    { ...asked(1, 10, '9'), isLater: true },
  ];
  expect(conversationAsOf(turns, at(-1))).toEqual([{ ...asked(1, 0), isLater: true }, ...later]);
  expect(conversationAsOf(turns, at(1))).toEqual([asked(1, 0), ...later]);
});

it('a call has no result until a request sends it to the model', () => {
  const [first, ...rest] = conversationAsOf(turns, at(5));
  expect(first).toEqual({ ...turns[0], toolCalls: [called] });
  expect(rest.map(({ isLater }) => isLater)).toEqual([true, true]);
  expect(conversationAsOf(turns, at(10))[0]).toEqual(turns[0]);
});
