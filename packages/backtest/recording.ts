/** One instance as it was stored: how it started, its steps with their inputs and facts, and its commands. */
import type { Command, CommandOutcome, StartInput } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { StepInputs } from '@perdure/engine/contract/step-commit.js';
import type { Model } from '@perdure/engine/model/model.js';

export interface RecordedStep {
  readonly inputs: StepInputs;
  readonly facts: readonly Fact[];
}

export type RecordedCommand = Command & { readonly status: CommandOutcome['status'] };

export interface Recording {
  readonly workflowID: string;
  /** Of the version that it ran. */
  readonly model: Model;
  readonly start: StartInput;
  /** All of them, from the first. */
  readonly steps: readonly RecordedStep[];
  /** Those that the steps handled. */
  readonly commands: readonly RecordedCommand[];
  /** Values of its history were overwritten. */
  readonly redacted?: true;
}

/** Why an instance cannot be compared; undefined if it can. Never names a value. */
export function reasonToSkip({ steps, commands, redacted }: Recording): string | undefined {
  if (redacted) return 'Values of the history were redacted';
  const [first] = steps;
  if (first?.facts[0]?.kind === 'INSTANCE_IMPORTED') return 'The instance was imported while it ran';
  if (first?.facts[0]?.kind !== 'INSTANCE_STARTED') return 'The facts of the first steps were removed';
  const given = new Map(commands.map((command) => [command.number, command]));
  let hasEnded = false;
  for (const { inputs, facts } of steps) {
    if (inputs.defect) return 'A defect of the engine stopped the instance';
    for (const fact of facts) {
      if (fact.kind === 'INSTANCE_MIGRATED') return 'The instance was migrated';
      if (isEnd(fact)) hasEnded = true;
      if (fact.kind !== 'COMMAND_HANDLED') continue;
      const command = given.get(fact.number);
      if (!command) return 'Commands of the instance were removed';
      if (command.kind === 'MODIFY' && command.status === 'APPLIED') return 'The instance was modified';
    }
  }
  return hasEnded ? undefined : 'The instance has not ended';
}

export function isEnd({ kind }: Fact): boolean {
  return kind === 'INSTANCE_COMPLETED' || kind === 'INSTANCE_CANCELED' || kind === 'INSTANCE_FAILED';
}
