/**
 * Limits on the size of a state: with room to spare, it must fit into the input of the instance's next run.
 *
 * Measuring takes time proportional to the state. Therefore `apply` maintains upper bounds, and only a bound above the
 * limit triggers a measurement: a step of a large instance costs no more than one of a small instance.
 */
import { haltInstance, isHalted } from './halt.js';
import { record, type Run } from '../../run.js';
import { COMPENSATION_TOO_LARGE, type ElementInstance, type State } from '../../state/state.js';

/** All variables of all scopes, as UTF-8 JSON. */
export const MAX_VARIABLES_BYTES = 1024 * 1024;
/** Everything else in the state. */
export const MAX_CONTROL_STATE_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/** Halts an instance that has outgrown its limits at a SnapshotSizeExceeded incident. */
export function haltWhenTooLarge(run: Run): void {
  const { state } = run;
  if (state.status !== 'RUNNING' || isHalted(state) || isSmall(state)) return;
  const measured = measure(state);
  record(run, { kind: 'STATE_MEASURED', ...measured });
  const excess = compensationExcess(state, measured.variables) ?? problemOf(measured);
  if (excess) haltInstance(run, { errorType: 'SnapshotSizeExceeded', ...excess });
}

/** The size of the state, as UTF-8 JSON in bytes. */
export function measure(state: State): { variables: number; control: number } {
  return { variables: byteLength(Object.values(state.elements).map(dataOf)), control: byteLength(withoutData(state)) };
}

function isSmall({ size }: State): boolean {
  return size !== undefined && size.variables <= MAX_VARIABLES_BYTES && size.control <= MAX_CONTROL_STATE_BYTES;
}

function problemOf({ variables, control }: NonNullable<State['size']>): { message: string } | undefined {
  if (variables > MAX_VARIABLES_BYTES) {
    return {
      message: `The variables of the instance take ${excess(variables, MAX_VARIABLES_BYTES)}. Clear or shrink some, then resolve this incident.`,
    };
  }
  if (control <= MAX_CONTROL_STATE_BYTES) return undefined;
  return {
    message: `The instance has too much in progress at once: its state takes ${excess(control, MAX_CONTROL_STATE_BYTES)}`,
  };
}

/**
 * Compensation records cannot be shrunk from outside. If they make up most of the excess, resolving discards them.
 * @param variables bytes that all variables take, or would take
 */
export function compensationExcess(
  state: State,
  variables: number,
): { errorCode: string; message: string } | undefined {
  if (variables <= MAX_VARIABLES_BYTES) return undefined;
  const remembered = byteLength(Object.values(state.elements).map(({ compensable }) => compensable));
  if (remembered <= MAX_VARIABLES_BYTES / 2) return undefined;
  return {
    errorCode: COMPENSATION_TOO_LARGE,
    message: `Compensation records of completed activities bring the variables of the instance to ${excess(variables, MAX_VARIABLES_BYTES)}. Resolve this incident to continue without compensating these activities, or cancel the instance.`,
  };
}

function excess(bytes: number, limit: number): string {
  return `${bytes} bytes, but the limit is ${limit}`;
}

/**
 * The user data held by an element instance: variables, payloads of collected events, items and outputs of a loop, and
 * variables for compensation.
 */
function dataOf({ variables, data, loop, compensable, compensation }: ElementInstance): unknown[] {
  return [variables, data, loop?.items, loop?.output?.values, compensable, compensation];
}

function withoutData(state: State): object {
  return {
    ...state,
    waits: Object.fromEntries(Object.values(state.waits).map((wait) => [wait.id, { ...wait, at: undefined }])),
    moving: state.moving.map((token) => ({ ...token, at: undefined })),
    arrived: state.arrived.map((token) => ({ ...token, at: undefined })),
    elements: Object.values(state.elements).map((element) => ({
      ...element,
      at: undefined,
      variables: undefined,
      data: undefined,
      loop: undefined,
      compensable: undefined,
      compensation: undefined,
    })),
  };
}

/** The length of `value` as UTF-8 JSON. */
export function byteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}
