/** Random things that happen to an instance, whatever it waits for, and what must hold of any state. */
import { expect } from 'vitest';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import { ROOT, type State, type Wait } from '@perdure/engine/state/state.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { BlockGenerator } from './blocks.js';
import { bpmnOf } from './bpmn.js';
import { Oracle } from './oracle.js';
import type { Random } from './random.js';

/** An instance of a random model. */
export async function startRandom(random: Random): Promise<{ host: MemoryHost; instance: MemoryInstance }> {
  const block = new BlockGenerator(random).process();
  const host = await MemoryHost.deploy(bpmnOf(block));
  return { host, instance: host.start('p', new Oracle(block).start as Record<string, never>) };
}

/** Lets one of the things happen that the instance waits for. @returns false when it waits for nothing */
export function stimulateAny(host: MemoryHost, instance: MemoryInstance, random: Random): boolean {
  const waits = Object.values(instance.state.waits);
  const incidents = host.incidents(instance);
  if (waits.length + incidents.length === 0) return false;
  const chosen = random.below(waits.length + incidents.length);
  const incident = incidents[chosen - waits.length];
  if (incident)
    host.command(instance, {
      kind: 'RESOLVE_INCIDENT',
      incident: incident.id,
      variables: { [`${originalID(incident.node)}_fixed`]: true },
    });
  else happen(host, instance, waits[chosen]!, random);
  return true;
}

/** The former id of a renamed node, which the model's own expressions still use. */
function originalID(node: string): string {
  return node.replace(/_new$/, '');
}

function happen(host: MemoryHost, instance: MemoryInstance, wait: Wait, random: Random): void {
  switch (wait.kind) {
    case 'job':
      if (random.chance(0.1)) host.command(instance, { kind: 'THROW_JOB_ERROR', execution: wait.id, errorCode: 'E' });
      else host.command(instance, { kind: 'COMPLETE_JOB', execution: wait.id });
      return;
    case 'userTask':
      host.command(instance, { kind: 'COMPLETE_USER_TASK', execution: wait.id });
      return;
    case 'timer':
      host.advance(Math.max(0, wait.due - host.now));
      return;
    case 'subscription':
      host.command(instance, {
        kind: wait.type === 'message' ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL',
        execution: wait.id,
        publicationID: 'any',
      });
      return;
    case 'condition':
      host.command(instance, { kind: 'SET_VARIABLES', variables: { go: random.chance(0.5), bad: random.chance(0.5) } });
      return;
    case 'child':
      host.command(instance, {
        kind: 'END_CHILD',
        execution: wait.id,
        outcome: { status: 'COMPLETED', variables: {} },
      });
      return;
    case 'decision':
      throw new Error('The random models have no decisions');
  }
}

/** Counters agree with their contents, every element has an existing parent, and some stimulus can make the instance continue. */
export function expectSound({ model, state }: MemoryInstance, where: string): void {
  if (state.status !== 'RUNNING') return expect(Object.keys(state.waits), where).toEqual([]);
  const inside = new Map<number, number>();
  const count = (scope: number) => inside.set(scope, (inside.get(scope) ?? 0) + 1);
  for (const element of Object.values(state.elements)) if (element.id !== ROOT) count(element.scope);
  for (const token of [...state.moving, ...state.arrived]) count(token.scope);
  for (const element of Object.values(state.elements))
    expect([element.id, element.inside], where).toEqual([element.id, inside.get(element.id) ?? 0]);
  for (const scope of inside.keys()) expect(state.elements[scope], `${where}: scope ${scope}`).toBeDefined();
  for (const { element } of [...Object.values(state.waits), ...Object.values(state.incidents)])
    expect(state.elements[element], `${where}: element ${element}`).toBeDefined();
  const isOpen = Object.values(state.elements).some(({ data }) => data?.['entered'] === true);
  // An ad-hoc sub-process can be asked to begin something.
  if (!isOpen)
    expect(
      Object.keys(state.waits).length + Object.keys(state.incidents).length,
      `${where}: something is waited for`,
    ).toBeGreaterThan(0);
  expect(new Set(activeNodes(model, state)), `${where}: active nodes`).toEqual(
    new Set([...occupiedNodes(state)].map((place) => ('flow' in place ? model.flow(place.flow).target : place.node))),
  );
}

/** Elements with a wait, at a join, or that can begin, and their enclosing elements, from the waits outward. */
function* occupiedNodes(state: State): Generator<{ node: string } | { flow: string }> {
  const open = Object.values(state.elements).filter(({ data }) => data?.['entered'] === true);
  const waiting = [...Object.values(state.waits), ...Object.values(state.incidents)].map(({ element }) => element);
  const tokens = [...state.moving, ...state.arrived];
  yield* tokens.map(({ flow }) => ({ flow }));
  for (const element of [...waiting, ...open.map(({ id }) => id), ...tokens.map(({ scope }) => scope)])
    yield* outwards(state, element);
}

function* outwards(state: State, id: number): Generator<{ node: string }> {
  if (id === ROOT) return;
  const { node, scope, compensates } = state.elements[id]!;
  yield { node };
  yield* outwards(state, scope);
  // A handler that runs outlives the event that asked for it, when that is canceled.
  if (compensates !== undefined && state.elements[compensates]) yield* outwards(state, compensates);
}

/** An instance that runs waits for something, has an incident, or can be asked to begin something; nothing is left on its way. */
export function expectRest({ state }: MemoryInstance, where: string): void {
  if (state.status !== 'RUNNING') return expect([Object.keys(state.waits), state.moving], where).toEqual([[], []]);
  const isOpen = Object.values(state.elements).some(({ data }) => data?.['entered'] === true);
  if (!isOpen)
    expect(
      Object.keys(state.waits).length + Object.keys(state.incidents).length,
      `${where}: something is waited for`,
    ).toBeGreaterThan(0);
}

/** A few nodes, active ones above all, each to one of its kind; preferably in the same scope, where that can work. */
export function randomMappings({ model, state }: MemoryInstance, random: Random): { [source: string]: string } {
  const { nodes } = model.graph;
  const active = [...Object.values(state.elements), ...Object.values(state.waits)].map(({ node }) => model.node(node));
  const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(random.chance(0.7) ? active : nodes));
  return Object.fromEntries(
    chosen.map((node) => {
      const alike = nodes.filter(
        ({ kind, parent }) => kind === node.kind && (parent === node.parent || random.chance(0.1)),
      );
      return [node.id, random.pick(alike).id];
    }),
  );
}
