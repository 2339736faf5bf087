/** How an instance started, read from the facts of its first step: the store keeps no other record of it. */
import type { StartInput, StartPlace } from '@perdure/engine/contract/commands.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import { equalJson, setMember, type Json, type Variables } from '@perdure/engine/contract/json.js';
import { guardedStep } from '@perdure/engine/guarded-step.js';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, ROOT } from '@perdure/engine/state/state.js';
import { step } from '@perdure/engine/step.js';
import type { RecordedStep, Recording } from './recording.js';

/** Of the incident of a start whose variables the instance has no room for. It then has them nowhere. */
const NO_ROOM = 'SnapshotSizeExceeded';

export type StoredRecording = Omit<Recording, 'start'>;

/** @returns a reason if the facts do not say how it started */
export function recordingOf(stored: StoredRecording): Recording | { readonly reason: string } {
  const [first] = stored.steps;
  // Without its first steps it is skipped, whatever its start.
  if (first?.facts[0]?.kind !== 'INSTANCE_STARTED') return { ...stored, start: { variables: {} } };
  const event = { ...callOf(first.facts[0]), ...eventOf(first.facts) };
  const payload = event.startNode === undefined ? undefined : payloadOf(stored.model, first.facts, event.startNode);
  if (payload === 'lost') return { reason: 'The variables that started the instance were not stored' };
  const start = { ...event, ...(payload && { payload }), variables: {} };
  return { ...stored, start: { ...start, variables: variablesOf(stored.model, first, start) } };
}

/** The call that it came from: what the caller catches decides where an error of the instance ends. */
function callOf(started: FactOf<'INSTANCE_STARTED'>): Omit<StartInput, 'variables'> {
  const { parent, caughtErrors, caughtEscalations, depth } = started;
  return {
    ...(parent && { parent }),
    ...(caughtErrors && { caughtErrors }),
    ...(caughtEscalations && { caughtEscalations }),
    ...(depth !== undefined && { depth }),
  };
}

/** The nodes that it started at. */
function eventOf(facts: readonly Fact[]): Omit<StartInput, 'variables' | 'payload'> {
  const data = dataOf(facts, ROOT);
  const { startNode, startTrigger, startAt, keyProblem } = data;
  return {
    ...(typeof startNode === 'string' && { startNode }),
    ...(typeof startTrigger === 'number' && { startTrigger }),
    ...(typeof keyProblem === 'string' && { keyProblem }),
    ...(startAt !== undefined && { startAt: startAt as unknown as StartPlace[] }),
  };
}

/** Each member as it was set first. */
function dataOf(facts: readonly Fact[], element: number): { readonly [name: string]: Json } {
  const set = facts.filter((fact) => fact.kind === 'ELEMENT_DATA_SET').filter((fact) => fact.element === element);
  return Object.assign({}, ...set.toReversed().map(({ data }) => data)) as { [name: string]: Json };
}

/** Those that the start gave come before everything else, and those of data objects right after them. */
function variablesOf(model: Model, { facts, inputs }: RecordedStep, start: StartInput): Variables {
  const [given] = initialSets(facts);
  if (!given) return {};
  if (start.startNode !== undefined || start.startAt !== undefined) {
    const at = facts.findIndex(({ kind }) => kind === 'ELEMENT_DATA_SET');
    return facts.indexOf(given) < at ? given.variables : {};
  }
  const flags = facts[0]?.kind === 'INSTANCE_STARTED' ? facts[0].flags : undefined;
  const input = { now: inputs.now, start: { ...start, ...(flags && { flags }) }, commands: [] };
  const withNone = guardedStep(model, newState('start'), input, (state) => step(model, state, input));
  const [declared] = initialSets(withNone.facts);
  return declared && equalJson(declared.variables, given.variables) ? {} : given.variables;
}

/** Variables of the process from before anything inside it was active. */
function initialSets(facts: readonly Fact[]): FactOf<'VARIABLES_SET'>[] {
  const inside = facts.findIndex((fact) => fact.kind === 'ELEMENT_ACTIVATED' && fact.element !== ROOT);
  return (inside < 0 ? facts : facts.slice(0, inside))
    .filter((fact) => fact.kind === 'VARIABLES_SET')
    .filter(({ scope }) => scope === ROOT);
}

/** The variables of the message or signal, before the mappings of the start event. */
function payloadOf(model: Model, facts: readonly Fact[], startNode: string): Variables | undefined | 'lost' {
  const kept = keptBy(facts, ROOT);
  if (kept) return kept;
  const activated = facts.find((fact) => fact.kind === 'ELEMENT_ACTIVATED' && fact.node === startNode);
  if (activated?.kind !== 'ELEMENT_ACTIVATED') return undefined;
  const { element } = activated;
  const atEvent = keptBy(facts, element);
  if (atEvent) return atEvent;
  const sets = facts.filter((fact) => fact.kind === 'VARIABLES_SET');
  const own = sets.find(({ scope, role }) => scope === element && role === undefined);
  if (own) return own.variables;
  const isLost = facts.some(
    (fact) => fact.kind === 'INCIDENT_RAISED' && fact.element === element && fact.errorType === NO_ROOM,
  );
  if (isLost) return 'lost';
  const node = model.find(startNode);
  if (node && 'outputs' in node && node.outputs) return undefined;
  const results = sets.filter(({ by, role }) => by === element && role === 'OUTPUT');
  if (results.length === 0) return undefined;
  const payload: Variables = {};
  for (const { variables } of results)
    for (const [name, value] of Object.entries(variables)) setMember(payload, name, value);
  return payload;
}

/** The payload that an element keeps for its start after an incident. */
function keptBy(facts: readonly Fact[], element: number): Variables | undefined {
  return dataOf(facts, element)['payload'] as Variables | undefined;
}
