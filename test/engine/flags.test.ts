import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentFlags, FLAGS, isEnabled } from '@perdure/engine/state/flags.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { upgradeGraph, upgradeState, type Upgrades } from '@perdure/engine/state/upgrade.js';
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

const ticksOf = async () => {
  const host = await MemoryHost.deploy(sinceLastWeek);
  const instance = host.start('p');
  const atOnce = host.completed(instance).filter((node) => node === 'ticked').length;
  const [next] = Object.values(instance.state.waits).filter((wait) => wait.kind === 'timer');
  return { atOnce, next: next?.kind === 'timer' ? next.due - host.now : undefined };
};

it('a cycle that began in the past fires once for all ticks that it has missed', async () => {
  expect(await ticksOf()).toEqual({ atOnce: 1, next: DAY });
});

describe('a flag that this build knows', () => {
  const flags: Record<string, string> = FLAGS;
  beforeAll(() => {
    flags['invented'] = 'invented';
  });
  afterAll(() => {
    delete flags['invented'];
  });
  const isInvented = (state: State) => isEnabled(state, 'invented' as never);

  it('is one of an instance that starts, which keeps it in its facts', async () => {
    const host = await MemoryHost.deploy(sinceLastWeek);
    const instance = host.start('p');
    expect(host.facts(instance)[0]).toEqual({ kind: 'INSTANCE_STARTED', flags: currentFlags() });
    expect([instance.state, instance.replayed].map(isInvented)).toEqual([true, true]);
  });

  it('is none of an instance that a build without it has started', async () => {
    const host = await MemoryHost.deploy(sinceLastWeek);
    const instance = host.start('p', {}, { flags: [] });
    expect([instance.state, instance.replayed].map(isInvented)).toEqual([false, false]);
  });
});

describe('the state of an earlier build', () => {
  const current = newState('one');
  const earliest = { format: -1, id: 'one' };
  const upgrades: Upgrades = {
    [-1]: (stored) => ({ ...stored, format: 0, moving: [] }),
    0: (stored) => {
      const { id, ...rest } = stored as unknown as { id: string };
      return { ...newState(id), ...rest, format: 1 };
    },
  };

  it('is converted format by format', () => {
    expect(upgradeState(earliest, upgrades)).toEqual(current);
    expect(upgradeGraph({ format: 0, id: 'one' } as never, upgrades)).toMatchObject({ format: 1 });
  });

  it('is not changed by being read', () => {
    const before = JSON.stringify(earliest);
    upgradeState(earliest, upgrades);
    expect(JSON.stringify(earliest)).toBe(before);
  });

  it('stays as it is where it is of this format, or of one that only a newer build knows', () => {
    expect(upgradeState(current)).toBe(current);
    const newer = { ...current, format: 99 };
    expect(upgradeState(newer)).toBe(newer);
    const graph = { format: 99, processID: 'p', nodes: [], flows: [] };
    expect(upgradeGraph(graph)).toBe(graph);
  });
});
