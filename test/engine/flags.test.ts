import { describe, expect, it } from 'vitest';
import { currentFlags, FLAGS } from '@perdure/engine/state/flags.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { upgradeGraph, upgradeState } from '@perdure/engine/state/upgrade.js';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { boundaryEvent, endEvent, on, serviceTask } from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const DAY = 86_400_000;
const sinceLastWeek = simpleModel(
  [
    serviceTask('work'),
    boundaryEvent('tick', 'work', on.cycle('R/2025-12-25T00:00:00Z/P1D'), { interrupting: false }),
    endEvent('e'),
    endEvent('ticked'),
  ],
  ['a: s -> work', 'b: work -> e', 'c: tick -> ticked'],
);

describe('an instance', () => {
  it('gets the flags of the build that starts it, and keeps them in its facts', async () => {
    const host = await MemoryHost.deploy(sinceLastWeek);
    const instance = host.start('p');
    expect(instance.state.flags).toEqual(currentFlags());
    expect(host.facts(instance)[0]).toMatchObject({ kind: 'INSTANCE_STARTED', flags: currentFlags() });
    expect(instance.replayed.flags).toEqual(instance.state.flags);
  });

  it('has none where the build that started it knew none', async () => {
    const host = await MemoryHost.deploy(sinceLastWeek);
    expect(host.start('p', {}, { flags: [] }).state.flags).toEqual([]);
  });
});

describe('a cycle that began in the past', () => {
  const ticksOf = async (flags: readonly string[]) => {
    const host = await MemoryHost.deploy(sinceLastWeek);
    const instance = host.start('p', {}, { flags });
    const atOnce = host.completed(instance).filter((node) => node === 'ticked').length;
    const [next] = Object.values(instance.state.waits).filter((wait) => wait.kind === 'timer');
    return { atOnce, next: next?.kind === 'timer' ? next.due - host.now : undefined };
  };

  it('fires once for all that it has missed', async () => {
    expect(await ticksOf([FLAGS.cyclesSkipPastTicks])).toEqual({ atOnce: 1, next: DAY });
  });

  it('fires for each tick in instances from before the flag', async () => {
    expect(await ticksOf([])).toEqual({ atOnce: 8, next: DAY });
  });
});

describe('what an earlier build has stored', () => {
  const { flags: _none, ...rest } = newState('one');
  const old = {
    ...rest,
    format: 1,
    waits: {
      3: { kind: 'decision', id: 3, element: 2, node: 'rule' },
      5: { kind: 'job', id: 5, element: 4, node: 'work' },
    },
  };

  it('as a state is read with no flags, and with what its waits have come to hold', () => {
    const upgraded = upgradeState(old);
    expect(upgraded).toMatchObject({ format: 2, flags: [], workflowID: 'one' });
    expect(upgraded.waits[3]).toEqual({
      kind: 'decision',
      id: 3,
      element: 2,
      node: 'rule',
      decisionID: '',
      binding: { kind: 'latest' },
    });
    expect(upgraded.waits[5]).toEqual(old.waits[5]);
  });

  it('is not changed by being read', () => {
    const before = JSON.stringify(old);
    upgradeState(old);
    expect(JSON.stringify(old)).toBe(before);
  });

  it('stays as it is where it is of this format, or of one that only a newer build knows', () => {
    const current: State = newState('one');
    expect(upgradeState(current)).toBe(current);
    const newer = { ...current, format: 99 };
    expect(upgradeState(newer)).toBe(newer);
    const graph = { format: 99, processID: 'p', nodes: [], flows: [] };
    expect(upgradeGraph(graph)).toBe(graph);
  });
});
