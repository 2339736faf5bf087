/** Random modifications of random models at random moments: each is refused with reasons or the instance continues. */
import { expect, it } from 'vitest';
import type { ModificationInstruction } from '@perdure/engine/contract/commands.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { everything } from './everything.js';
import { keptSeeds } from './kept-seeds.js';
import { Random } from './random.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';
import { expectSound, randomMappings, startRandom, stimulateAny } from './stimuli.js';

const MODELS = scaled(100);
const PATHS = scaled(75);
const MAX_STIMULI = 60;
const test = { file: 'test/engine/random/modifications.test.ts', kept: 'modifications' };

it(
  `the engine does not wedge an instance of ${MODELS} random models (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    const outcomes = { APPLIED: 0, REJECTED: 0 };
    for (const seed of seedsFrom(keptSeeds.modifications, MODELS)) {
      await playSeed(seed, test, async () => {
        const random = new Random(seed);
        const { host, instance } = await startRandom(random);
        for (let stimulus = 0; stimulus < MAX_STIMULI && instance.state.status === 'RUNNING'; stimulus += 1) {
          const where = `model seed ${seed}, stimulus ${stimulus}`;
          if (random.chance(0.35)) outcomes[modify(host, instance, random, where)] += 1;
          else stimulateAny(host, instance, random);
          expectSound(instance, where);
        }
        host.command(instance, { kind: 'CANCEL_INSTANCE' });
        expect(instance.state.status, `model seed ${seed}`).not.toBe('RUNNING');
      });
    }
    expect(outcomes.APPLIED).toBeGreaterThan(MODELS / 2);
    expect(outcomes.REJECTED).toBeGreaterThan(MODELS / 10);
  },
);

it(
  `the engine does not wedge instances of a model with all kinds of scopes, migrated again and again too (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    const other = processModel('other', [startEvent('s'), serviceTask('inside')], ['f: s -> inside']);
    const outcomes = { APPLIED: 0, REJECTED: 0 };
    for (const seed of seedsFrom(keptSeeds.modifications, PATHS)) {
      await playSeed(seed, test, async () => {
        const random = new Random(seed);
        const host = await MemoryHost.deploy(other, everything);
        const instance = host.start('p', { go: false, bad: false });
        for (let stimulus = 0; stimulus < MAX_STIMULI && instance.state.status === 'RUNNING'; stimulus += 1) {
          const where = `seed ${seed}, stimulus ${stimulus}`;
          if (random.chance(0.3)) outcomes[modify(host, instance, random, where)] += 1;
          else if (random.chance(0.1)) {
            host.add([{ processID: 'p', graph: instance.model.graph }]);
            const outcome = host.migrate(instance, random.chance(0.5) ? randomMappings(instance, random) : {});
            if (outcome.status === 'REJECTED') expect(outcome.issues, where).not.toEqual([]);
          } else stimulateAny(host, instance, random);
          expectSound(instance, where);
        }
        if (instance.state.status === 'RUNNING') host.command(instance, { kind: 'CANCEL_INSTANCE' });
        expect(instance.state.status, `seed ${seed}`).not.toBe('RUNNING');
      });
    }
    expect(outcomes.APPLIED).toBeGreaterThan(PATHS / 2);
  },
);

function modify(host: MemoryHost, instance: MemoryInstance, random: Random, where: string): 'APPLIED' | 'REJECTED' {
  const instructions = Array.from({ length: 1 + random.below(3) }, () => instruction(instance, random));
  const before = host.facts(instance).length;
  const outcome = host.command(instance, { kind: 'MODIFY', instructions });
  if (outcome.status === 'APPLIED') return 'APPLIED';
  expect(outcome, where).toMatchObject({
    code: 'BAD_REQUEST',
    issues: expect.arrayContaining([expect.stringContaining('instruction')]),
  });
  // A measurement of the state may be due at any command.
  expect(
    host
      .facts(instance)
      .slice(before)
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'STATE_MEASURED'),
    where,
  ).toEqual(['COMMAND_HANDLED']);
  return 'REJECTED';
}

/** Any node, or one with a token; in any scope, or without one. */
function instruction({ model, state }: MemoryInstance, random: Random): ModificationInstruction {
  const elements = Object.values(state.elements);
  const nodeID = random.chance(0.5) ? random.pick(elements).node : random.pick(model.graph.nodes).id;
  const scope = random.chance(0.3) ? { scope: random.pick(elements).id } : {};
  return { type: random.chance(0.35) ? 'CANCEL_TOKEN' : 'START_BEFORE_NODE', nodeID, ...scope };
}
