/** Both runs of an instance, visit by visit. */
import { backtest, type RunVisit } from '@perdure/backtest';
import { expect, it } from 'vitest';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  exclusiveGateway,
  on,
  parallelGateway,
  scriptTask,
  serviceTask,
} from '@perdure/testkit/models';
import { MAX_VISITS } from '../../packages/backtest/runs.js';
import { simpleModel } from '../support/models.js';
import { modelFrom, record } from './support/recording.js';

const MINUTE = 60_000;

const nodes = (visits: readonly RunVisit[]) => visits.map(({ nodeID }) => nodeID);

/** Amounts above the limit are checked. */
const checking = (limit: number) =>
  simpleModel(
    [exclusiveGateway('large', { default: 'no' }), scriptTask('check', '=true', 'checked'), endEvent('e')],
    ['a: s -> large', `yes: large -> check =amount > ${limit}`, 'no: large -> e', 'b: check -> e'],
  );

it('a changed condition leads both runs apart: each visit has its flows, and those of both runs name each other', async () => {
  const recording = await record(checking(100), () => {}, { variables: { amount: 150 } });
  const { before, after } = backtest(recording, await modelFrom(checking(200))).runs()!;
  expect(before.visits.map(({ nodeID, flows, counterpart }) => [nodeID, flows, counterpart])).toEqual([
    ['s', [], 1],
    ['large', ['a'], 2],
    ['check', ['yes'], undefined],
    ['e', ['b'], undefined],
  ]);
  expect(after.visits.map(({ nodeID, flows, counterpart }) => [nodeID, flows, counterpart])).toEqual([
    ['s', [], 1],
    ['large', ['a'], 2],
    ['e', ['no'], undefined],
  ]);
  expect([before.truncated, after.truncated]).toEqual([false, false]);
  // Each node ended before the next one began.
  expect(before.visits.map(({ endedAfter }) => endedAfter)).toEqual([1, 2, 3, 4]);
  // The number of a fact is that of a replay of the instance.
  const facts = recording.steps.flatMap((step) => step.facts);
  expect(before.visits.map(({ fact }) => facts[fact - 1])).toMatchObject(
    nodes(before.visits).map((node) => ({ kind: 'ELEMENT_ACTIVATED', node })),
  );
});

it('runs of the same version have the same visits at the same moments, on every branch', async () => {
  const branches = simpleModel(
    [parallelGateway('fork'), serviceTask('one'), serviceTask('two'), parallelGateway('join'), endEvent('e')],
    ['a: s -> fork', 'b: fork -> one', 'c: fork -> two', 'd: one -> join', 'f: two -> join', 'g: join -> e'],
  );
  const recording = await record(branches, (host, instance) => {
    host.advance(MINUTE);
    host.completeJob(instance, 'two');
    host.advance(MINUTE);
    host.completeJob(instance, 'one');
  });
  const { before, after } = backtest(recording, await modelFrom(branches)).runs()!;
  expect(after).toEqual(before);
  expect(before.visits.map(({ counterpart }) => counterpart)).toEqual([1, 2, 3, 4, 5, 6]);
  const [, , one, two, join] = before.visits;
  // The join begins with the second token, and takes both.
  expect([one, two, join]).toMatchObject([
    { nodeID: 'one', endedAfter: 4 },
    { nodeID: 'two', endedAfter: 4 },
    { nodeID: 'join' },
  ]);
  expect(join!.flows.toSorted()).toEqual(['d', 'f']);
  expect(join!.at - one!.at).toBe(2 * MINUTE);
});

it('the run of the version has virtual time, and what it interrupts has ended', async () => {
  const deadline = (duration: string) =>
    simpleModel(
      [serviceTask('work'), boundaryEvent('late', 'work', on.timer(duration)), endEvent('e'), endEvent('escalated')],
      ['f1: s -> work', 'f2: work -> e', 'f3: late -> escalated'],
    );
  const recording = await record(deadline('PT1H'), (host, instance) => {
    host.advance(10 * MINUTE);
    host.completeJob(instance, 'work');
  });
  const { before, after } = backtest(recording, await modelFrom(deadline('PT9M'))).runs()!;
  expect(nodes(before.visits)).toEqual(['s', 'work', 'e']);
  const [, work, late, escalated] = after.visits;
  expect([work, late, escalated]).toMatchObject([
    { nodeID: 'work', endedAfter: expect.any(Number) as number },
    { nodeID: 'late' },
    { nodeID: 'escalated', flows: ['f3'] },
  ]);
  expect(late!.at - work!.at).toBe(9 * MINUTE);
});

it('a visit that waits forever never ends, and a skipped instance has no runs', async () => {
  const plain = simpleModel([endEvent('e')], ['f: s -> e']);
  const asking = simpleModel([serviceTask('new'), endEvent('e')], ['f: s -> new', 'g: new -> e']);
  const recording = await record(plain, () => {});
  const { after } = backtest(recording, await modelFrom(asking)).runs()!;
  expect(after.visits.at(-1)).toMatchObject({ nodeID: 'new' });
  expect(after.visits.at(-1)).not.toHaveProperty('endedAfter');
  expect(backtest({ ...recording, redacted: true }, await modelFrom(plain)).runs()).toBeUndefined();
});

it('of a long run, the first visits are listed', async () => {
  const ticking = simpleModel(
    [
      exclusiveGateway('again'),
      catchEvent('tick', on.timer('PT1S')),
      scriptTask('count', '=if n = null then 1 else n + 1', 'n'),
      exclusiveGateway('enough', { default: 'more' }),
      endEvent('e'),
    ],
    [
      'a: s -> again',
      'b: again -> tick',
      'c: tick -> count',
      'd: count -> enough',
      'more: enough -> again',
      'g: enough -> e =n >= 600',
    ],
  );
  const recording = await record(ticking, (host) => host.advance(1_000_000), { variables: { n: 0 } });
  const { before, after } = backtest(recording, await modelFrom(ticking)).runs()!;
  expect(before.visits).toHaveLength(MAX_VISITS);
  expect(before.truncated).toBe(true);
  expect(after).toEqual(before);
});

it('the run of the version has positions around its first difference', async () => {
  const waiting = (limit: number) =>
    simpleModel(
      [serviceTask('price'), exclusiveGateway('large', { default: 'no' }), serviceTask('check'), endEvent('e')],
      [
        'a: s -> price',
        'b: price -> large',
        `yes: large -> check =amount > ${limit}`,
        'no: large -> e',
        'c: check -> e',
      ],
    );
  const recording = await record(waiting(100), (host, instance) => {
    host.completeJob(instance, 'price', { amount: 150 });
    host.completeJob(instance, 'check');
  });
  const { item, positions } = backtest(recording, await modelFrom(waiting(200)));
  expect(item).toMatchObject({ outcome: 'OTHER_PATH', first: { nodeID: 'large', occurrence: 1 } });
  const { at, positions: found } = positions()!;
  expect(at).toBe(2);
  expect(found.map(({ visits, isInside, state }) => [visits, isInside, state.status])).toEqual([
    [1, true, 'RUNNING'],
    [2, undefined, 'RUNNING'],
    [3, true, 'RUNNING'],
    [4, undefined, 'COMPLETED'],
  ]);
  expect(Object.values(found[at]!.state.elements).map(({ node }) => node)).toContain('large');
});
