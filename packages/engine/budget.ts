/**
 * The work budget of one step. Work is counted, never timed, so that a replay yields at the same points on every
 * machine.
 *
 * While a workflow activation computes, all other instances of its worker wait, and after ten seconds its thread is ended.
 * Therefore every loop of the engine charges the work it does, and a step whose budget is spent yields: its facts are
 * committed, and the next step continues.
 */

/** Operations per step. The unit is one FEEL operation, about a quarter of a microsecond. */
const STEP_WORK = 300_000;
/** Reserved for commands, so that a loop that spends every budget cannot starve a cancellation. */
const COMMAND_WORK = 60_000;
/** Characters of facts per step, estimated as JSON. */
const STEP_CHARACTERS = 256 * 1024;
const COMMAND_CHARACTERS = 64 * 1024;
/** Work of all expressions between two budget checks: those of one element or one command. */
export const UNIT_WORK = 400_000;
/** Cost of recording a fact and folding it into the state, in addition to its length. */
const WORK_PER_FACT = 24;
/** Characters of a fact that cost as much as one operation. */
const CHARACTERS_PER_WORK = 16;
/** Entries of a list or map that can be read in the time of one operation. */
const ENTRIES_PER_WORK = 12;

/** Steps that an instance may take in a row without waiting for anything. */
export const MAX_UNBROKEN_STEPS = 10_000;
/** Characters of facts that an instance may write without waiting for anything. */
export const MAX_UNBROKEN_CHARACTERS = 32 * 1024 * 1024;

/** The remaining budget of one step. */
export class Budget {
  #work = STEP_WORK;
  #characters = STEP_CHARACTERS;
  #unit = UNIT_WORK;

  /** Whether tokens, continuations, timers and conditions may proceed. */
  get allowsMoves(): boolean {
    return this.#work > COMMAND_WORK && this.#characters > COMMAND_CHARACTERS;
  }

  /** Whether another command may be handled. */
  get allowsCommands(): boolean {
    return this.#work > 0 && this.#characters > 0;
  }

  /** Operations that the expressions of the current unit may still use. */
  get unit(): number {
    return this.#unit;
  }

  /** Characters of facts written so far. */
  get written(): number {
    return STEP_CHARACTERS - this.#characters;
  }

  /** Starts the next unit (element, condition or command), whose expressions share their own allowance. */
  nextUnit(): void {
    this.#unit = UNIT_WORK;
  }

  chargeOperations(operations: number): void {
    this.#work -= operations;
    this.#unit -= operations;
  }

  /** @param characters estimated length of the fact as JSON */
  chargeFact(characters: number): void {
    this.#work -= WORK_PER_FACT + characters / CHARACTERS_PER_WORK;
    this.#characters -= characters;
  }

  /** @param entries number of elements, waits or tokens read one by one */
  chargeScan(entries: number): void {
    this.#work -= entries / ENTRIES_PER_WORK;
  }
}
