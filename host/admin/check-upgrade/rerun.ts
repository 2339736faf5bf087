/** Runs the recorded inputs of an instance through this build's engine and compares the facts of each step. */
import { recordingOf, type RecordedCommand, type RecordedStep } from '@perdure/backtest';
import { apply } from '@perdure/engine/apply.js';
import type { Command, StartInput } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { equalJson, type Json } from '@perdure/engine/contract/json.js';
import type { GuardedStep } from '@perdure/engine/guarded-step.js';
import { numbersOf, stepOf } from '@perdure/engine/recorded-step.js';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { errorMessage } from '@perdure/lib/error-message.js';

/** An instance as it was stored. */
export interface StoredInstance {
  workflowID: string;
  /** Of the version that it started with. */
  model: Model;
  steps: readonly RecordedStep[];
  /** Those that the steps handled, as far as they are still there. */
  commands: readonly RecordedCommand[];
  /** Of the versions that it was migrated to, by the content address of their graphs. */
  targets: ReadonlyMap<string, Model>;
}

/** The first fact of an instance that this build computes differently. It names no value. */
export interface Difference {
  step: number;
  nodeID: string | undefined;
  /** One sentence, for example "JOB_CREATED differs in retries". */
  what: string;
}

export type Rerun =
  { kind: 'same' } | { kind: 'different'; difference: Difference } | { kind: 'skipped'; reason: string };

/** @returns why it was skipped if nothing, or not all of it, could be run again */
export function rerun(instance: StoredInstance): Rerun {
  const { workflowID, steps, targets } = instance;
  const commands = new Map(instance.commands.map((command) => [command.number, command]));
  let { model } = instance;
  let state = newState(workflowID);
  let skipped: string | undefined;
  for (const [index, { inputs, facts }] of steps.entries()) {
    const given = index === 0 ? startOf(instance) : { start: undefined };
    // Facts that no engine computed: an import, and the end of an instance without a workflow.
    if (inputs.endedElsewhere || 'reason' in given || facts[0]?.kind === 'INSTANCE_IMPORTED') {
      if ('reason' in given) skipped = given.reason;
      state = folded(state, facts, inputs.now);
      continue;
    }
    const handled = numbersOf(state, inputs).map((number) => commands.get(number));
    if (handled.includes(undefined)) return { kind: 'skipped', reason: 'Commands of the instance were removed' };
    const maxRotations = rotationLimitIn(facts);
    const computed = computedBy(() =>
      stepOf(model, state, inputs, { ...given, commands: handled as Command[], targets, maxRotations }),
    );
    const what = 'thrown' in computed ? computed.thrown : differenceOf(facts, computed.facts);
    if (what !== undefined) {
      const at = firstDifferent(facts, 'thrown' in computed ? [] : computed.facts);
      const nodeID = nodeOf(state, facts, at) ?? ('thrown' in computed ? undefined : nodeOf(state, computed.facts, at));
      return { kind: 'different', difference: { step: index + 1, nodeID, what } };
    }
    if ('thrown' in computed) break;
    ({ model, state } = computed);
  }
  return skipped === undefined ? { kind: 'same' } : { kind: 'skipped', reason: skipped };
}

function startOf({ workflowID, model, steps, commands }: StoredInstance): { start: StartInput } | { reason: string } {
  const recording = recordingOf({ workflowID, model, steps, commands });
  if ('reason' in recording) return recording;
  const [started] = steps[0]!.facts;
  // A called instance also has the members that its caller gives it.
  const { kind: _kind, ...given } = started?.kind === 'INSTANCE_STARTED' ? started : { kind: undefined };
  return { start: { ...recording.start, ...given } };
}

/** The setting of the host that took the step, which is nowhere but in the message of its incident. */
function rotationLimitIn(facts: readonly Fact[]): number {
  const halted = facts.find((fact) => fact.kind === 'INCIDENT_RAISED' && fact.errorType === 'RotationLimitError');
  const [, limit] = halted?.kind === 'INCIDENT_RAISED' ? (/rotated (\d+) times/.exec(halted.message) ?? []) : [];
  return limit === undefined ? Infinity : Number(limit);
}

function folded(before: State, facts: readonly Fact[], now: number): State {
  for (const fact of facts) apply(before, fact, now);
  return before;
}

/** The guard of the engine turns what a behavior throws into facts; only a defect of the guard itself comes out. */
function computedBy(take: () => GuardedStep): GuardedStep | { thrown: string } {
  try {
    const taken = take();
    // As the facts were stored: without members that are undefined.
    return { ...taken, facts: JSON.parse(JSON.stringify(taken.facts)) as Fact[] };
  } catch (thrown) {
    return { thrown: `the engine throws: ${errorMessage(thrown)}` };
  }
}

function firstDifferent(recorded: readonly Fact[], computed: readonly Fact[]): number {
  const index = recorded.findIndex((fact, at) => !isEqual(fact, computed[at]));
  return index < 0 ? recorded.length : index;
}

/** Undefined if they are equal. */
function differenceOf(recorded: readonly Fact[], computed: readonly Fact[]): string | undefined {
  if (recorded.length === computed.length && recorded.every((fact, at) => isEqual(fact, computed[at])))
    return undefined;
  const at = firstDifferent(recorded, computed);
  const [before, now] = [recorded[at], computed[at]];
  if (!before) return `${now!.kind} is new`;
  if (!now) return `${before.kind} is missing`;
  if (before.kind !== now.kind) return `${now.kind} instead of ${before.kind}`;
  return `${before.kind} differs in ${differentMembers(before, now).join(', ')}`;
}

function isEqual(one: Fact, other: Fact | undefined): boolean {
  return other !== undefined && equalJson(one as unknown as Json, other as unknown as Json);
}

function differentMembers(one: Fact, other: Fact): string[] {
  const [before, now] = [one as unknown as Record<string, Json>, other as unknown as Record<string, Json>];
  return Object.keys({ ...before, ...now }).filter(
    (name) =>
      Object.hasOwn(before, name) !== Object.hasOwn(now, name) || !equalJson(before[name] ?? null, now[name] ?? null),
  );
}

/** The node that the fact at this place is about, by the state before its step and the facts before it. */
function nodeOf(state: State, facts: readonly Fact[], at: number): string | undefined {
  const fact = facts[at] ?? facts.at(-1);
  if (!fact) return undefined;
  if ('node' in fact && typeof fact.node === 'string') return fact.node;
  const element = elementOf(state, fact);
  if (typeof element !== 'number') return undefined;
  const begun = facts.find((other) => other.kind === 'ELEMENT_ACTIVATED' && other.element === element);
  return state.elements[element]?.node ?? (begun?.kind === 'ELEMENT_ACTIVATED' ? begun.node : undefined);
}

/** Variables are about the element that sets them, not about the scope that has them. */
function elementOf(state: State, fact: Fact): number | undefined {
  if ('element' in fact) return fact.element;
  if (fact.kind === 'VARIABLES_SET') return fact.by ?? fact.scope;
  return 'scope' in fact ? fact.scope : waitedBy(state, fact);
}

function waitedBy(state: State, fact: Fact): number | undefined {
  const wait = Object.values(fact as unknown as Record<string, unknown>).find(
    (value) => typeof value === 'number' && state.waits[value] !== undefined,
  );
  return wait === undefined ? undefined : state.waits[wait as number]!.element;
}
