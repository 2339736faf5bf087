/** The driver: takes steps until an instance is idle, as its workflow would. */
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import type { Command, CommandOutcome, DecisionEvaluation, StartInput } from '@perdure/engine/contract/commands.js';
import type { Model } from '@perdure/engine/model/model.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import { step, stepPaused, type StepInput, type StepResult } from '@perdure/engine/step.js';
import { frozen } from './frozen.js';
import type { MemoryInstance } from './instance.js';

/** The input of a step. */
export type TakenInput = Pick<StepInput, 'start' | 'commands' | 'evaluations' | 'resumed' | 'now'> & { paused?: true };

export interface StepHost {
  now(): number;
  isPaused(instance: MemoryInstance): boolean;
  /** The models to which a migration can lead. */
  targets(): ReadonlyMap<string, Model>;
  /** Applies the effects of a step, as the store does. */
  commit(instance: MemoryInstance, stimulus: string, result: StepResult, input: TakenInput): void;
  /** Called when the instance is idle. */
  idle(instance: MemoryInstance): void;
}

/** Input that an instance has not taken yet. */
interface Input {
  commands: readonly Command[];
  evaluations: readonly DecisionEvaluation[];
}

export class Steps {
  readonly #host: StepHost;

  constructor(host: StepHost) {
    this.#host = host;
  }

  run(
    instance: MemoryInstance,
    commands: readonly Command[],
    { evaluations = [], resumed }: { evaluations?: readonly DecisionEvaluation[]; resumed?: boolean } = {},
  ): CommandOutcome[] {
    for (const command of commands) instance.deferred.set(command.number, command);
    if (this.#host.isPaused(instance)) return this.#runPaused(instance, commands);
    const start = takeStart(instance);
    const first = { ...(start && { start: { flags: currentFlags(), ...start } }), ...(resumed && { resumed }) };
    const outcomes = this.#advance(instance, stimulusOf(commands, start, evaluations), {
      commands,
      evaluations,
      ...first,
    });
    let left = leftOf(instance, { commands, evaluations });
    while (left && !this.#host.isPaused(instance)) {
      outcomes.push(...this.#advance(instance, 'continues', left));
      left = leftOf(instance, left);
    }
    this.#host.idle(instance);
    return outcomes;
  }

  #advance(
    instance: MemoryInstance,
    stimulus: string,
    input: Pick<StepInput, 'commands' | 'evaluations' | 'start' | 'resumed'>,
  ): CommandOutcome[] {
    const given = { now: this.#host.now(), targets: this.#host.targets(), ...input };
    instance.state = frozen(instance.state);
    const result = step(instance.model, instance.state, given);
    this.#host.commit(instance, stimulus, result, given);
    return result.outcomes;
  }

  /** While paused, an instance does not take its first step, unless a command requires it. */
  #runPaused(instance: MemoryInstance, commands: readonly Command[]): CommandOutcome[] {
    instance.wasPaused = true;
    if (commands.length === 0) return [];
    const start = takeStart(instance);
    const given = { now: this.#host.now(), targets: this.#host.targets(), commands, ...(start && { start }) };
    instance.state = frozen(instance.state);
    const result = stepPaused(instance.model, instance.state, given);
    this.#host.commit(instance, stimulusOf(commands, start), result, { ...given, paused: true });
    return result.outcomes;
  }
}

function takeStart(instance: MemoryInstance): StartInput | undefined {
  const { start } = instance;
  delete instance.start;
  return start;
}

/** Work that a step with a spent budget has not reached; undefined if nothing is left. */
function leftOf(
  { state }: MemoryInstance,
  { commands, evaluations }: Input,
): (Input & { yielded: boolean }) | undefined {
  if (state.status !== 'RUNNING') return undefined;
  const left = {
    commands: commands.filter(
      ({ number }) => number > state.lastCommand || state.deferred?.some((deferred) => deferred.number === number),
    ),
    evaluations: evaluations.filter(({ execution }) => state.waits[execution]?.kind === 'decision'),
    yielded: hasWork(state) && !isHalted(state),
  };
  return left.yielded || left.commands.length > 0 || left.evaluations.length > 0 ? left : undefined;
}

function stimulusOf(
  [command]: readonly Command[],
  start?: StartInput,
  evaluations?: readonly DecisionEvaluation[],
): string {
  if (start) return `start ${JSON.stringify(start.variables)}`;
  if (evaluations && evaluations.length > 0) return 'decision evaluated';
  return command ? command.kind : 'time passes';
}
