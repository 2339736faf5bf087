/** How large a state may grow: it must fit, with room to spare, into the input of the instance's next run. */
import { hold, isHeld } from './behaviors/hold.js';
import type { Fact } from './facts.js';
import type { Json } from './json.js';
import type { Run } from './run.js';
import type { ElementInstance, State } from './state.js';

/** All variables of all scopes together, as UTF-8 JSON. */
export const LARGEST_VARIABLES_BYTES = 1024 * 1024;
/** Everything else in the state. */
export const LARGEST_CONTROL_STATE_BYTES = 256 * 1024;

/** Bytes a character of a string can take at most in UTF-8. */
const WIDEST_CHARACTER_BYTES = 3;
const encoder = new TextEncoder();

/** Holds an instance that has outgrown its limits at a SnapshotSizeExceeded incident. */
export function holdWhenTooLarge(run: Run): void {
  const { state } = run;
  if (state.status !== 'RUNNING' || isHeld(state)) return;
  const problem = (run.facts.some(growsVariables) && variablesProblem(state)) || controlProblem(state);
  if (problem) hold(run, { errorType: 'SnapshotSizeExceeded', message: problem });
}

/** A quick estimate of the length of `value` as JSON, in characters. */
export function estimatedLength(value: Json): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return 6;
  let length = 2;
  if (Array.isArray(value)) for (const item of value) length += estimatedLength(item) + 1;
  else for (const name in value) length += name.length + 4 + estimatedLength(value[name]!);
  return length;
}

function growsVariables(fact: Fact): boolean {
  return fact.kind === 'VARIABLES_SET';
}

function variablesProblem(state: State): string | undefined {
  const variables = Object.values(state.elements).flatMap((element) => element.variables ?? []);
  const problem = excess(JSON.stringify(variables), LARGEST_VARIABLES_BYTES);
  return problem && `The variables of the instance take ${problem}; clear or shrink some, then resolve this incident`;
}

function controlProblem(state: State): string | undefined {
  const problem = excess(JSON.stringify({ ...state, elements: Object.values(state.elements).map(withoutVariables) }), LARGEST_CONTROL_STATE_BYTES);
  return problem && `The instance has too much going on at once: its state takes ${problem}`;
}

function withoutVariables(element: ElementInstance): ElementInstance {
  return element.variables ? { ...element, variables: undefined } : element;
}

function excess(json: string, limit: number): string | undefined {
  if (json.length * WIDEST_CHARACTER_BYTES <= limit) return undefined;
  const bytes = encoder.encode(json).length;
  return bytes > limit ? `${bytes} bytes, which is more than the ${limit} allowed` : undefined;
}
