/** Keeps what the store would keep of an instance that a test runs in memory. */
import type { RecordedCommand, RecordedStep, Recording } from '@perdure/backtest';
import type { Command, StartInput } from '@perdure/engine/contract/commands.js';
import type { Model } from '@perdure/engine/model/model.js';
import type { StepResult } from '@perdure/engine/step.js';
import type { TakenInput } from '../../../packages/testkit/memory/steps.js';

export class Recorder {
  readonly #steps: RecordedStep[] = [];
  readonly #commands = new Map<number, Command>();
  readonly #statuses = new Map<number, RecordedCommand['status']>();
  #start: StartInput = { variables: {} };
  #lastCommand = 0;

  constructor(
    readonly workflowID: string,
    readonly model: Model,
  ) {}

  note(input: TakenInput & { rotate?: true }, { facts, outcomes }: Pick<StepResult, 'facts' | 'outcomes'>): void {
    const { now, start, commands, evaluations, resumed, paused, rotate } = input;
    if (start) this.#start = start;
    for (const command of commands) this.#commands.set(command.number, command);
    for (const { number, status } of outcomes) this.#statuses.set(number, status);
    const deferred = commands.filter(({ number }) => number <= this.#lastCommand).length;
    // Also those that the step had no budget for.
    const lastCommand = Math.max(this.#lastCommand, ...commands.map(({ number }) => number));
    for (const fact of facts)
      if (fact.kind === 'COMMAND_HANDLED' || fact.kind === 'COMMAND_DEFERRED')
        this.#lastCommand = Math.max(this.#lastCommand, fact.number);
    this.#steps.push({
      inputs: {
        now,
        lastCommand,
        ...(deferred > 0 && { deferred }),
        ...(start?.flags && { flags: start.flags }),
        ...(evaluations && evaluations.length > 0 && { evaluations: [...evaluations] }),
        ...(resumed && { resumed: true }),
        ...(paused && { paused }),
        ...(rotate && { rotate }),
      },
      facts: JSON.parse(JSON.stringify(facts)) as typeof facts,
    });
  }

  get recording(): Recording {
    return {
      workflowID: this.workflowID,
      model: this.model,
      start: this.#start,
      steps: this.#steps,
      commands: [...this.#commands.values()].map((command) => ({
        ...command,
        status: this.#statuses.get(command.number) ?? 'REJECTED',
      })),
    };
  }
}
