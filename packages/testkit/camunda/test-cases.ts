/**
 * The test files of Camunda's process tests (JSON test cases, version 8.10) as scenarios. An instruction without a
 * counterpart makes its test case invalid, and is named.
 */
import { InvalidScenario, type Scenario, type Step } from '../scenario/scenario.js';
import { expectMembers, NoCounterpart, objectOf, translations, variablesOf, type Instruction } from './instructions.js';

/** A test of a file: a scenario, or why it is none. */
export type ReadTest = { name: string } & ({ scenario: Scenario } | { invalid: InvalidScenario });

export function isTestCases(value: unknown): value is { testCases: unknown[]; processId?: unknown } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { testCases?: unknown }).testCases);
}

export function readTestCases(
  { testCases, processId }: { testCases: unknown[]; processId?: unknown },
  file: string,
): ReadTest[] {
  return testCases.map((given, index): ReadTest => {
    const at = `testCases[${index}]`;
    const testCase = (typeof given === 'object' && given !== null ? given : {}) as Instruction;
    const name = typeof testCase['name'] === 'string' ? testCase['name'] : at;
    const instructions = Array.isArray(testCase['instructions']) ? (testCase['instructions'] as Instruction[]) : [];
    const builder = new Builder(name, typeof processId === 'string' ? processId : undefined);
    const problems = instructions.flatMap((instruction, place) => {
      const problem = builder.add(instruction);
      return problem === undefined ? [] : [`${at}.instructions[${place}]: ${problem}`];
    });
    if (instructions.length === 0) problems.push(`${at}: "instructions" is missing or empty`);
    if (problems.length > 0)
      return { name, invalid: new InvalidScenario(`${file}, test case ${JSON.stringify(name)},`, problems) };
    return { name, scenario: builder.scenario() };
  });
}

class Builder {
  readonly #name: string;
  #process: string | undefined;
  #now: string | undefined;
  #start: Scenario['start'];
  readonly #steps: Step[] = [];

  constructor(name: string, process: string | undefined) {
    this.#name = name;
    this.#process = process;
  }

  /** @returns why the instruction has no counterpart */
  add(instruction: Instruction): string | undefined {
    const type = String(instruction?.['type']);
    try {
      if (type === 'CREATE_PROCESS_INSTANCE') this.#create(instruction);
      else if (type === 'SET_TIME') this.#setTime(instruction);
      else if (Object.hasOwn(translations, type))
        this.#steps.push(...translations[type]!(instruction, this.#process ?? ''));
      else return `${type} has no counterpart`;
      return undefined;
    } catch (error) {
      if (error instanceof NoCounterpart) return `${type} has no counterpart for ${error.message}`;
      throw error;
    }
  }

  scenario(): Scenario {
    return {
      name: this.#name,
      process: this.#process ?? '',
      ...(this.#now !== undefined && { now: this.#now }),
      ...(this.#start && { start: this.#start }),
      steps: this.#steps,
    };
  }

  #create(given: Instruction): void {
    if (this.#start || this.#steps.length > 0) throw new NoCounterpart('a start after other instructions');
    expectMembers(given, ['processDefinitionSelector', 'variables', 'startInstructions']);
    const { processDefinitionId } = objectOf(given, 'processDefinitionSelector');
    if (typeof processDefinitionId !== 'string') throw new NoCounterpart('a selector without "processDefinitionId"');
    const startAt = placesOf(given['startInstructions']);
    this.#process = processDefinitionId;
    this.#start = { ...variablesOf(given), ...(startAt.length > 0 && { startAt }) };
  }

  #setTime(given: Instruction): void {
    if (this.#start || this.#steps.length > 0) throw new NoCounterpart('a time after other instructions');
    const { time } = given;
    if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) throw new NoCounterpart('"time"');
    this.#now = time;
  }
}

function placesOf(instructions: unknown): { nodeID: string }[] {
  if (instructions === undefined) return [];
  if (!Array.isArray(instructions)) throw new NoCounterpart('"startInstructions"');
  return (instructions as Instruction[]).map(({ elementId }) => {
    if (typeof elementId === 'string') return { nodeID: elementId };
    throw new NoCounterpart('"startInstructions" without "elementId"');
  });
}
