/** Random instances, migrated at a random moment, do what they would have done: to a version that is the same, has other ids, or one task more. */
import { expect, it } from 'vitest';
import type { Graph, Node } from '@perdure/engine/model/graph.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { BlockGenerator } from './blocks.js';
import { bpmnOf } from './bpmn.js';
import { keptSeeds } from './kept-seeds.js';
import { Oracle } from './oracle.js';
import { Random } from './random.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';
import { expectSound, randomMappings, startRandom, stimulateAny } from './stimuli.js';

const MODELS = scaled(50);
const MAX_STIMULI = 100;
const test = { file: 'test/engine/random/migrations.test.ts', kept: 'migrations' };

interface Version {
  of(graph: Graph): Graph;
  mappings(graph: Graph): { [source: string]: string };
  /** Expected differences in the history of the migrated instance. */
  asBefore(completed: string[]): string[];
}

const versions: { [name: string]: Version } = {
  'the same again': { of: copy, mappings: () => ({}), asBefore: (completed) => completed },
  'other ids': {
    of: (graph) => rename(copy(graph)),
    mappings: (graph) =>
      Object.fromEntries(graph.nodes.filter(({ kind }) => kind !== 'process').map(({ id }) => [id, `${id}_new`])),
    asBefore: (completed) => completed.map((id) => id.replace(/_new$/, '')),
  },
  'one task more': {
    of: (graph) => addTask(copy(graph)),
    mappings: () => ({}),
    asBefore: (completed) => completed.filter((id) => id !== 'added'),
  },
};

it.each(Object.entries(versions))(
  `continues as before in ${MODELS} random models (RANDOM_SEED=${base}): %s`,
  { timeout: 240_000 * scale },
  async (_, version) => {
    let ended = 0;
    for (const seed of seedsFrom(keptSeeds.migrations, MODELS)) {
      await playSeed(seed, test, async () => {
        const block = new BlockGenerator(new Random(seed)).process();
        const variables = new Oracle(block).start as Record<string, never>;
        const where = `model seed ${seed}`;
        // Each in its own host: a clock in common would let the timers of one fire while the other is played.
        const [before, after] = [await MemoryHost.deploy(bpmnOf(block)), await MemoryHost.deploy(bpmnOf(block))];
        const [undisturbed, migrated] = [before.start('p', variables), after.start('p', variables)];
        const { graph } = undisturbed.model;
        after.add([{ processID: graph.processID, graph: version.of(graph) }]);
        play(before, undisturbed, seed);
        const at = new Random(seed + 1).below(12);
        play(
          after,
          migrated,
          seed,
          at,
          () => expect(after.migrate(migrated, version.mappings(graph)), where).toMatchObject({ status: 'APPLIED' }),
          where,
        );
        expect(migrated.state.status, where).toBe(undisturbed.state.status);
        expect(version.asBefore(after.completed(migrated)), where).toEqual(before.completed(undisturbed));
        expect(after.variables(migrated), where).toEqual(before.variables(undisturbed));
        if (migrated.state.status === 'COMPLETED') ended += 1;
      });
    }
    expect(ended).toBeGreaterThan(MODELS / 2);
  },
);

/** The same seed makes the same things happen, as long as there is the same to choose from. */
function play(
  host: MemoryHost,
  instance: MemoryInstance,
  seed: number,
  at?: number,
  disturb?: () => void,
  where = '',
): void {
  const random = new Random(seed);
  for (let stimulus = 0; stimulus < MAX_STIMULI && instance.state.status === 'RUNNING'; stimulus += 1) {
    if (stimulus === at) disturb!();
    stimulateAny(host, instance, random);
    if (disturb) expectSound(instance, where);
  }
}

function copy(graph: Graph): Graph {
  return structuredClone(graph);
}

function rename(graph: Graph): Graph {
  const process = graph.nodes[0]!.id;
  const renamed = <Id extends string | undefined>(id: Id) =>
    (id === undefined || id === process ? id : `${id}_new`) as Id;
  const nodes = graph.nodes.map((node): Node => {
    const { attachedTo, handler, start, boundary } = node as {
      attachedTo?: string;
      handler?: string;
      start?: string;
      boundary?: string[];
    };
    return {
      ...node,
      id: renamed(node.id),
      ...(node.parent !== undefined && { parent: renamed(node.parent) }),
      ...(attachedTo !== undefined && { attachedTo: renamed(attachedTo) }),
      ...(handler !== undefined && { handler: renamed(handler) }),
      ...(start !== undefined && { start: renamed(start) }),
      ...(boundary && { boundary: boundary.map(renamed) }),
    } as Node;
  });
  return {
    ...graph,
    nodes,
    flows: graph.flows.map((flow) => ({ ...flow, source: renamed(flow.source), target: renamed(flow.target) })),
  };
}

/** Before the end of the process. */
function addTask(graph: Graph): Graph {
  const end = graph.nodes.find(({ id }) => id === 'p_end')!;
  const [last] = end.incoming;
  graph.nodes.push({ kind: 'task', id: 'added', parent: 'p', incoming: [last!], outgoing: ['to_end'] });
  end.incoming = ['to_end'];
  graph.flows.find(({ id }) => id === last)!.target = 'added';
  graph.flows.push({ id: 'to_end', source: 'added', target: end.id });
  return graph;
}

it(
  `an instance of a random model that is mapped at random stays sound, or is refused with reasons (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    const outcomes = { APPLIED: 0, REJECTED: 0 };
    for (const seed of seedsFrom(keptSeeds.migrations, MODELS)) {
      await playSeed(seed, test, async () => {
        const random = new Random(seed);
        const { host, instance } = await startRandom(random);
        const { graph } = instance.model;
        for (let stimulus = 0; stimulus < 40 && instance.state.status === 'RUNNING'; stimulus += 1) {
          const where = `model seed ${seed}, stimulus ${stimulus}`;
          if (random.chance(0.25)) {
            host.add([{ processID: graph.processID, graph: copy(graph) }]);
            const outcome = host.migrate(instance, randomMappings(instance, random));
            if (outcome.status === 'REJECTED') expect(outcome.issues, where).not.toEqual([]);
            outcomes[outcome.status] += 1;
          } else stimulateAny(host, instance, random);
          expectSound(instance, where);
        }
        if (instance.state.status === 'RUNNING') host.command(instance, { kind: 'CANCEL_INSTANCE' });
        expect(instance.state.status, `model seed ${seed}`).not.toBe('RUNNING');
      });
    }
    expect(outcomes.APPLIED).toBeGreaterThan(MODELS / 4);
    expect(outcomes.REJECTED).toBeGreaterThan(MODELS / 10);
  },
);
