/**
 * How large a state may grow: it must fit, with room to spare, into the input of the instance's next run.
 *
 * Measuring takes time in proportion to the state, so `apply` keeps upper bounds and only a bound that is too high
 * leads to a measurement: a step of a large instance costs no more than one of a small one.
 */
import { COMPENSATION_TOO_LARGE } from './appliers/incidents.js';
import { hold, isHeld } from './behaviors/hold.js';
import { record, type Run } from './run.js';
import type { ElementInstance, State } from './state.js';

/** All variables of all scopes together, as UTF-8 JSON. */
export const LARGEST_VARIABLES_BYTES = 1024 * 1024;
/** Everything else in the state. */
export const LARGEST_CONTROL_STATE_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/** Holds an instance that has outgrown its limits at a SnapshotSizeExceeded incident. */
export function holdWhenTooLarge(run: Run): void {
  const { state } = run;
  if (state.status !== 'RUNNING' || isHeld(state) || isSmall(state)) return;
  const measured = measure(state);
  record(run, { kind: 'STATE_MEASURED', ...measured });
  const excess = compensationExcess(state, measured.variables) ?? problemOf(measured);
  if (excess) hold(run, { errorType: 'SnapshotSizeExceeded', ...excess });
}

/** How large the state is, as UTF-8 JSON in bytes. */
export function measure(state: State): { variables: number; control: number } {
  return { variables: byteLength(Object.values(state.elements).map(dataOf)), control: byteLength(withoutData(state)) };
}

function isSmall({ size }: State): boolean {
  return size !== undefined && size.variables <= LARGEST_VARIABLES_BYTES && size.control <= LARGEST_CONTROL_STATE_BYTES;
}

function problemOf({ variables, control }: NonNullable<State['size']>): { message: string } | undefined {
  if (variables > LARGEST_VARIABLES_BYTES) {
    return { message: `The variables of the instance take ${excess(variables, LARGEST_VARIABLES_BYTES)}; clear or shrink some, then resolve this incident` };
  }
  if (control <= LARGEST_CONTROL_STATE_BYTES) return undefined;
  return { message: `The instance has too much going on at once: its state takes ${excess(control, LARGEST_CONTROL_STATE_BYTES)}` };
}

/**
 * What compensation remembers cannot be shrunk from outside: when it is most of what is too large, resolving forgets it.
 * @param variables how many bytes all variables take, or would take
 */
export function compensationExcess(state: State, variables: number): { errorCode: string; message: string } | undefined {
  if (variables <= LARGEST_VARIABLES_BYTES) return undefined;
  const remembered = byteLength(Object.values(state.elements).map(({ compensable }) => compensable));
  if (remembered <= LARGEST_VARIABLES_BYTES / 2) return undefined;
  return {
    errorCode: COMPENSATION_TOO_LARGE,
    message: `Compensation can reach so many completed activities that the variables of the instance, theirs included, come to ${excess(variables, LARGEST_VARIABLES_BYTES)}; resolve this incident to go on without compensating these activities, or cancel the instance`,
  };
}

function excess(bytes: number, limit: number): string {
  return `${bytes} bytes, which is more than the ${limit} allowed`;
}

/** What an element instance holds of the user's data: variables, payloads of events it remembers, items and outputs of a loop, what compensation will see. */
function dataOf({ variables, memory, loop, compensable, compensation }: ElementInstance): unknown[] {
  return [variables, memory, loop?.items, loop?.output?.values, compensable, compensation];
}

function withoutData(state: State): object {
  return {
    ...state,
    elements: Object.values(state.elements).map((element) => ({ ...element, variables: undefined, memory: undefined, loop: undefined, compensable: undefined, compensation: undefined })),
  };
}

/** The length of `value` as UTF-8 JSON. */
export function byteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}
