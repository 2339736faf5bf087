/**
 * Conditional events: BPMN 2.0.2 section 10.5.5.1. Conditions are evaluated whenever variables have changed. An event
 * occurs when its condition becomes true, and again only after the condition has been false in between.
 */
import type { ConditionPass, Fact, FactKind } from '../../contract/facts.js';
import type { Failure, Result } from '../../failure.js';
import { truth } from '../../feel.js';
import type { Node } from '../../model/graph.js';
import { nodeOf, record, type Run } from '../../run.js';
import type { ConditionWait } from '../../state/state.js';
import type { ConditionalTrigger } from '../../events/conditional.js';
import { fail, raiseIncident } from '../lifecycle/failures.js';
import { isHalted } from '../lifecycle/halt.js';
import { trigger } from './waits.js';
import { staysOpen } from '../../model/model.js';

/**
 * Evaluates every open condition if something that could change one has happened since the last pass. The consequences
 * of one condition may change others, without limit: a pass stops when the budget is spent, and the next step continues
 * it.
 */
export function watchConditions(run: Run): void {
  if (!run.model.hasConditions) return;
  while (run.state.status === 'RUNNING' && !isHalted(run.state)) {
    run.conditions ??= hasChanged(run) ? { from: 0 } : undefined;
    if (!run.conditions) return;
    if (run.conditions.from === 0) run.watched = run.facts.length;
    const { again } = run.conditions;
    if (!finishPass(run, run.conditions)) return;
    run.conditions = again ? { from: 0 } : undefined;
  }
}

/** The condition state that a yielding step passes to the next step. */
export function unfinishedPass(run: Run): ConditionPass | undefined {
  const again = hasChanged(run);
  if (!run.conditions) return again ? { from: 0 } : undefined;
  return { ...run.conditions, ...(again && { again }) };
}

function hasChanged(run: Run): boolean {
  return run.model.hasConditions && run.facts.slice(run.watched).some(mayChangeConditions);
}

/** @returns false if the budget was spent, or the instance ended or was halted, before the last condition */
function finishPass(run: Run, pass: ConditionPass): boolean {
  const waits = Object.values(run.state.waits);
  run.budget.chargeScan(waits.length);
  for (const wait of waits) {
    if (wait.kind !== 'condition' || wait.id < pass.from) continue;
    if (run.state.status !== 'RUNNING' || isHalted(run.state)) return false;
    if (!run.budget.allowsMoves) {
      // The pass may be that of the state before the step, which the step must not change.
      run.conditions = { ...pass, from: wait.id };
      run.exhausted = true;
      return false;
    }
    run.budget.nextUnit();
    watch(run, wait);
  }
  return true;
}

/**
 * A resolved incident may have halted the whole instance, including its conditions, as a pause does. A new version may
 * have other conditions.
 */
const MAY_CHANGE_CONDITIONS: ReadonlySet<FactKind> = new Set<FactKind>([
  'VARIABLES_SET',
  'VARIABLES_CLEARED',
  'CONDITION_OPENED',
  'LOOP_OUTPUT_COLLECTED',
  'INCIDENT_RESOLVED',
  'INSTANCE_MIGRATED',
  'PAUSE_ENDED',
]);

function mayChangeConditions({ kind }: Fact): boolean {
  return MAY_CHANGE_CONDITIONS.has(kind);
}

function watch(run: Run, wait: ConditionWait): void {
  // The consequences of an earlier condition may have ended it. One at an incident is evaluated again when that is
  // resolved, not for each variable that changes.
  if (run.state.waits[wait.id] !== wait || wait.incident !== undefined) return;
  const holds = evaluate(run, wait);
  if (!holds.ok) return giveUp(run, wait, holds.failure);
  if (holds.value === (wait.holds ?? false)) return;
  record(run, { kind: holds.value ? 'CONDITION_MET' : 'CONDITION_LAPSED', condition: wait.id });
  if (!holds.value) return;
  if (!staysOpen(run.model.node(wait.node))) record(run, { kind: 'CONDITION_CLOSED', condition: wait.id });
  trigger(run, wait);
}

const NOT_YET: ReadonlySet<string | undefined> = new Set(['UNRESOLVED_VARIABLE', 'UNRESOLVED_ENTRY']);

/** A condition that refers to a variable, or to an entry of one, that does not exist yet is false. */
function evaluate(run: Run, wait: ConditionWait): Result<boolean> {
  const { condition } = triggersOf(run.model.node(wait.node))[wait.trigger]!;
  const result = truth(run, run.state.elements[wait.element]!, condition, `condition of ${wait.node}`);
  return !result.ok && NOT_YET.has(result.failure.errorCode) ? { ok: true, value: false } : result;
}

/**
 * An event that is itself waiting can wait again after its incident. Any other condition stays open and has the incident
 * alone: its event-based gateway still waits for the other events, and a listener must not stop what it listens on.
 */
function giveUp(run: Run, wait: ConditionWait, failure: Failure): void {
  const element = run.state.elements[wait.element]!;
  const { id, kind } = nodeOf(run, element);
  if (wait.node === id) {
    record(run, { kind: 'CONDITION_CLOSED', condition: wait.id });
    fail(run, element, failure);
  } else if (kind === 'eventBasedGateway') fail(run, element, failure, wait);
  else raiseIncident(run, element, failure, wait);
}

function triggersOf(node: Node): ConditionalTrigger[] {
  return ('triggers' in node ? node.triggers : []) as ConditionalTrigger[];
}
