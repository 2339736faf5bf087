/** The step that its inputs describe: while an instance runs, and again from what was recorded of it. */
import type { Command, StartInput } from './contract/commands.js';
import type { StepInputs } from './contract/step-commit.js';
import { guardedStep, type GuardedStep } from './guarded-step.js';
import type { Model } from './model/model.js';
import type { State } from './state/state.js';
import { step, stepPaused, stepRotation } from './step.js';

export interface StepGiven {
  /** First step only. */
  start?: StartInput | undefined;
  commands: readonly Command[];
  /** Models of the versions that commands migrate to, by the content address of their graphs. */
  targets: ReadonlyMap<string, Model>;
  /** Rotations allowed since the start, or since the limit was last lifted. */
  maxRotations: number;
}

/** Takes the step on a copy of `before`, which is not changed. */
export function stepOf(model: Model, before: State, inputs: StepInputs, given: StepGiven): GuardedStep {
  const { now, rotate, evaluations, flags, paused, resumed, unkept } = inputs;
  const { targets, maxRotations } = given;
  const start = given.start && { ...given.start, ...(flags && { flags }) };
  const common = { now, targets, ...(start && { start }) };
  const take = (state: State, commands: readonly Command[]) => {
    if (rotate) return stepRotation(model, state, now, maxRotations);
    if (paused) return stepPaused(model, state, { ...common, commands });
    return step(model, state, {
      ...common,
      commands,
      ...(evaluations && { evaluations }),
      ...(resumed && { resumed }),
      ...(unkept !== undefined && { unkept }),
    });
  };
  return guardedStep(model, before, { ...common, commands: given.commands }, take, inputs.defect);
}

/** Numbers of the commands that the step handles: deferred ones, then those after the last one handled. */
export function numbersOf(state: State, { lastCommand, deferred = 0 }: StepInputs): number[] {
  const numbers = (state.deferred ?? []).slice(0, deferred).map(({ number }) => number);
  for (let number = state.lastCommand + 1; number <= lastCommand; number += 1) numbers.push(number);
  return numbers;
}
