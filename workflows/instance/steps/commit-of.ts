/** The commit of a step: what the store writes. */
import type { StartInput } from '@perdure/engine/contract/commands.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { STEPS_PER_SNAPSHOT, type CommitContext, type StepCommit } from '@perdure/engine/contract/step-commit.js';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import { ROOT, type State } from '@perdure/engine/state/state.js';
import { nextDue } from '@perdure/engine/step.js';
import type { Instance } from '../instance.js';
import { lingerRequest } from './linger.js';
import type { RotationReason } from '../rotation.js';
import type { Step } from './step.js';

export function commitOf(
  instance: Instance,
  { inputs, facts, outcomes, traceContext, result, state, model }: Step,
  rotationReason?: RotationReason,
): StepCommit {
  const number = instance.stepNumber + 1;
  const variables = changedVariables(facts, state, instance.start);
  const timerLatenessMs = latenessOf(instance, inputs.now);
  const incidentScopes = scopesOfIncidents(facts, state);
  return {
    workflowID: state.workflowID,
    number,
    inputs,
    facts,
    outcomes,
    ...(variables && { variables }),
    ...(state.status === 'RUNNING' && { activeNodes: activeNodes(model, state) }),
    ...(incidentScopes && { incidentScopes }),
    ...(instance.stepsInThisRun === 0 && instance.input.carried?.imported && { endsStart: true as const }),
    ...(number % STEPS_PER_SNAPSHOT === 0 && { snapshot: state }),
    ...(traceContext && { traceContext }),
    ...(result && { result: { ...result, projectID: instance.input.projectID } }),
    ...((rotationReason || timerLatenessMs !== undefined) && {
      measured: {
        ...(rotationReason && { rotationReason }),
        ...(timerLatenessMs !== undefined && { timerLatenessMs }),
      },
    }),
  };
}

/** The process's own incidents are in its own scope. */
function scopesOfIncidents(facts: readonly Fact[], state: State): Record<number, number> | undefined {
  const raised = facts.filter((fact): fact is FactOf<'INCIDENT_RAISED'> => fact.kind === 'INCIDENT_RAISED');
  const open = raised.filter(({ incident }) => state.incidents[incident] !== undefined);
  if (open.length === 0) return undefined;
  const scopeOf = (element: number) => (element === ROOT ? ROOT : state.elements[element]!.scope);
  return Object.fromEntries(open.map(({ incident, element }) => [incident, scopeOf(element)]));
}

function latenessOf({ state, pause }: Instance, now: number): number | undefined {
  const due = !pause.wasSeen && state.status === 'RUNNING' ? nextDue(state) : undefined;
  return due !== undefined && due <= now ? now - due : undefined;
}

/** The process's own variables if they changed in the step; the initial ones are already in the instance's row. */
function changedVariables(facts: readonly Fact[], state: State, start: StartInput | undefined): Variables | undefined {
  const changes = facts.filter(
    (fact) => (fact.kind === 'VARIABLES_SET' || fact.kind === 'VARIABLES_CLEARED') && fact.scope === ROOT,
  );
  const given = start && Object.keys(start.variables).length > 0 ? 1 : 0;
  return changes.length > given ? (state.elements[ROOT]!.variables ?? {}) : undefined;
}

export function contextOf(instance: Instance, attempt: Step): CommitContext {
  const { input, inbox, stepsInThisRun } = instance;
  const linger = lingerRequest(instance, attempt);
  const runsEnded = stepsInThisRun === 0 ? input.carried?.runsBefore?.slice(0, -1) : undefined;
  return {
    received: Math.max(inbox.lastReceived, attempt.inputs.lastCommand),
    ...(linger && { linger }),
    ...(runsEnded && runsEnded.length > 0 && { runsEnded }),
  };
}
