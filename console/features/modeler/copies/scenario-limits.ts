/** The scenarios of one process in this browser, and their limits. */

/** The file of a scenario. */
export interface KeptScenario {
  /** Its name. */
  file: string;
  text: string;
}

export const MAX_SCENARIOS = 100;
/** Of all scenarios of one process. */
const MAX_CHARACTERS = 5_000_000;

/**
 * In the order of their names. Those of the same name are replaced.
 * @throws Error with a sentence for the user above a limit
 */
export function withScenarios(kept: readonly KeptScenario[], added: readonly KeptScenario[]): KeptScenario[] {
  const all = new Map([...kept, ...added].map((scenario) => [scenario.file, scenario]));
  const characters = [...all.values()].reduce((sum, { text }) => sum + text.length, 0);
  if (all.size > MAX_SCENARIOS)
    throw new Error(
      `A process has at most ${MAX_SCENARIOS} scenarios in the modeler, and these would be ${all.size}. Run them with perdure test.`,
    );
  if (characters > MAX_CHARACTERS)
    throw new Error(
      `The scenarios of a process have at most ${MAX_CHARACTERS.toLocaleString('en')} characters in the modeler. Run larger ones with perdure test.`,
    );
  return [...all.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** The name that the file of a scenario gets: `A large order` becomes `a-large-order.scenario.json`. */
export function scenarioFileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.join('-').slice(0, 80) || 'played'}.scenario.json`;
}

/**
 * @returns the id of its process
 * @throws Error with a sentence for the user
 */
export function processOf({ file, text }: KeptScenario): string {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
  const { process } = (typeof content === 'object' && content !== null ? content : {}) as { process?: unknown };
  if (typeof process === 'string') return process;
  throw new Error(`${file} is not a scenario, because it names no process.`);
}
