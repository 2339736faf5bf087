/**
 * The work one step may do. It is counted and never timed, so that a replay yields at the same points on every machine.
 *
 * A workflow activation that computes for five seconds does not fail: it aborts the worker process. So every loop of the
 * engine charges what it does, and a step whose budget is spent yields: its facts are written and the next step continues.
 */

/** Operations of work in one step; the unit is one operation of FEEL, about a quarter of a microsecond. */
const STEP_WORK = 300_000;
/** Kept for commands, so that a loop that spends every budget cannot starve a cancellation. */
const COMMAND_WORK = 60_000;
/** Characters of facts in one step, estimated as JSON. */
const STEP_CHARACTERS = 256 * 1024;
const COMMAND_CHARACTERS = 64 * 1024;
/** Work of all expressions between two looks at the budget: those of one element, of one command. */
export const UNIT_WORK = 400_000;
/** What it takes to record a fact and fold it into the state, beside its length. */
const WORK_PER_FACT = 24;
/** Characters of a fact that take as long as one operation. */
const CHARACTERS_PER_WORK = 16;
/** Entries of a list or map that are read in the time of one operation. */
const ENTRIES_PER_WORK = 12;

/** Steps in a row that an instance may take without ever waiting for anything. */
export const MOST_UNBROKEN_STEPS = 10_000;
/** Characters of facts that an instance may write without ever waiting for anything. */
export const MOST_UNBROKEN_CHARACTERS = 32 * 1024 * 1024;

/** What is left of one step. */
export class Budget {
  #work = STEP_WORK;
  #characters = STEP_CHARACTERS;
  #unit = UNIT_WORK;

  /** Whether tokens, turns, timers and conditions may continue. */
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

  /** Begins the next element, condition or command: its expressions share an allowance of their own. */
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

  /** @param entries how many elements, waits or tokens are read, one by one */
  chargeScan(entries: number): void {
    this.#work -= entries / ENTRIES_PER_WORK;
  }
}
