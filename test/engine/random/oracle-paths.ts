/** Random paths through a random model, step by step against an oracle that shares no code with the engine. */
import { expect } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Wait } from '@perdure/engine/state/state.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { BlockGenerator, type Block } from './blocks.js';
import { bpmnOf, DECISION } from './bpmn.js';
import { expectWaits } from './folded-waits.js';
import { Oracle, type Open } from './oracle.js';
import { Random } from './random.js';

export const PATHS_PER_MODEL = 4;
const MAX_STIMULI = 150;

/** @returns how many of its paths ended */
export async function playModel(seed: number): Promise<number> {
  const block = new BlockGenerator(new Random(seed), { everything: true }).process();
  const host = await MemoryHost.deploy(bpmnOf(block));
  host.decisions.set(DECISION, ({ amount }) => (amount as number) * 2);
  let finished = 0;
  for (let path = 0; path < PATHS_PER_MODEL; path += 1) {
    if (playPath(host, block, new Random(seed * 31 + path), `model seed ${seed}, path ${path}`)) finished += 1;
  }
  return finished;
}

/** @returns whether the instance completed within the stimuli of the path */
function playPath(host: MemoryHost, block: Block, random: Random, where: string): boolean {
  host.instances.clear();
  const oracle = new Oracle(block);
  const begun = host.now;
  const instance = host.start('p', oracle.start as Variables);
  oracle.run(block);
  const repeated = new Map<string, number>();
  for (let stimulus = 0; stimulus < MAX_STIMULI && !oracle.finished; stimulus += 1) {
    compare(host, instance, oracle, where);
    const open = choose(oracle, random, repeated);
    stimulate(host, instance, oracle, open, random, begun);
  }
  compare(host, instance, oracle, where);
  return oracle.finished;
}

/** Events that can happen again and again happen twice at most, so that a path ends. */
function choose(oracle: Oracle, random: Random, repeated: Map<string, number>): Open {
  const fresh = oracle.open.filter(({ node }) => (repeated.get(node) ?? 0) < 2);
  const open = random.pick(fresh.length > 0 ? fresh : oracle.open);
  if (open.kind === 'subscription') repeated.set(open.node, (repeated.get(open.node) ?? 0) + 1);
  return open;
}

function stimulate(
  host: MemoryHost,
  instance: MemoryInstance,
  oracle: Oracle,
  open: Open,
  random: Random,
  begun: number,
): void {
  const { kind, node } = open;
  const index = oracle.open.filter((other) => other.kind === kind && other.node === node).indexOf(open);
  switch (kind) {
    case 'job': {
      const at = waitAt(host, kind, node, index);
      if (random.chance(0.1)) {
        host.command(at.instance, { kind: 'THROW_JOB_ERROR', execution: at.execution, errorCode: 'E' });
        return oracle.failJob(open);
      }
      host.command(at.instance, { kind: 'COMPLETE_JOB', execution: at.execution });
      return open.happen();
    }
    case 'userTask': {
      const at = waitAt(host, kind, node, index);
      host.command(at.instance, { kind: 'COMPLETE_USER_TASK', execution: at.execution });
      return open.happen();
    }
    case 'incident': {
      const at = [...host.instances.values()].flatMap((each) =>
        host
          .incidents(each)
          .flatMap((incident) => (incident.node === node ? { instance: each, incident: incident.id } : [])),
      )[index]!;
      host.command(at.instance, {
        kind: 'RESOLVE_INCIDENT',
        incident: at.incident,
        variables: { [`${node}_fixed`]: true },
      });
      return open.happen();
    }
    case 'timer':
      oracle.advance();
      return host.advance(begun + oracle.now - host.now);
    case 'condition':
      host.command(instance, { kind: 'SET_VARIABLES', variables: { [`${node}_ok`]: true } });
      return oracle.fulfil(node);
    case 'subscription': {
      if (open.signal) {
        host.throwSignal('shared', {}, 0);
        return oracle.throwSignal();
      }
      const at = waitAt(host, kind, node, index);
      host.command(at.instance, { kind: 'CORRELATE_MESSAGE', execution: at.execution, publicationID: 'm' });
      return open.happen();
    }
  }
}

/** The wait at a node, in the instance that has it. */
function waitAt(
  host: MemoryHost,
  kind: Wait['kind'],
  node: string,
  index: number,
): { instance: MemoryInstance; execution: number } {
  return [...host.instances.values()].flatMap((instance) =>
    Object.values(instance.state.waits).flatMap((wait) =>
      wait.kind === kind && wait.node === node ? { instance, execution: wait.id } : [],
    ),
  )[index]!;
}

function compare(host: MemoryHost, instance: MemoryInstance, oracle: Oracle, where: string): void {
  const all = [...host.instances.values()];
  for (const each of all) expectWaits(each, where);
  const waiting = all.flatMap((each) =>
    Object.values(each.state.waits).flatMap(({ kind, node }) => (kind === 'child' ? [] : `${kind} ${node}`)),
  );
  const incidents = all.flatMap((each) => host.incidents(each).map(({ node }) => `incident ${node}`));
  expect([...waiting, ...incidents].sort(), where).toEqual(
    oracle.open.map(({ kind, node }) => `${kind} ${node}`).sort(),
  );
  expect(instance.state.status, where).toBe(oracle.finished ? 'COMPLETED' : 'RUNNING');
  if (!oracle.finished) return;
  const completions = new Map<string, number>();
  for (const node of all.flatMap((each) => host.completed(each)))
    completions.set(node, (completions.get(node) ?? 0) + 1);
  expect(Object.fromEntries([...completions].sort()), where).toEqual(
    Object.fromEntries([...oracle.completions].sort()),
  );
  expect(host.variables(instance), where).toEqual(oracle.variables);
}
