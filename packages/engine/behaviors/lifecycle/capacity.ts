/**
 * Room for variables. Values from elements, events and operators are measured before they are written. A value that is
 * too large becomes an incident where it was produced and never reaches Temporal, which would reject the payload.
 */
import { failed, type Result } from '../../failure.js';
import { estimatedLength, MAX_BYTES_PER_CHARACTER, setMember, type Variables } from '../../contract/json.js';
import { record, type Run } from '../../run.js';
import { byteLength, compensationExcess, MAX_VARIABLES_BYTES, measure } from './size.js';
import type { ElementInstance } from '../../state/state.js';

/** Bytes that can be measured in the time of one operation. */
const BYTES_PER_WORK = 16;

const ROOM: Result<void> = { ok: true, value: undefined };

/**
 * Checks that the instance has room for `variables`, each at its scope, instead of the values they replace there. The
 * failure states the sizes. Nothing is written.
 * @param leaving an element instance that is about to complete, whose own variables make room
 */
export function roomFor(
  run: Run,
  parts: Iterable<readonly [ElementInstance, Variables]>,
  leaving?: ElementInstance,
): Result<void> {
  const written = [...parts];
  const atMost = written.reduce((sum, [, variables]) => sum + MAX_BYTES_PER_CHARACTER * estimatedLength(variables), 0);
  if ((run.state.size?.variables ?? 0) + atMost <= MAX_VARIABLES_BYTES) return ROOM;
  const measured = measure(run.state);
  record(run, { kind: 'STATE_MEASURED', ...measured });
  const added = written.reduce(
    (sum, [scope, variables]) => sum + byteLength(variables) - replacedBytes(scope, variables),
    0,
  );
  run.budget.chargeOperations((measured.variables + atMost / MAX_BYTES_PER_CHARACTER) / BYTES_PER_WORK);
  const total = measured.variables + added - byteLength(leaving?.variables ?? {});
  if (total <= MAX_VARIABLES_BYTES || added <= 0) return ROOM;
  const compensation = compensationExcess(run.state, total);
  if (compensation) return failed({ errorType: 'SnapshotSizeExceeded', ...compensation });
  return failed({
    errorType: 'SnapshotSizeExceeded',
    errorCode: 'VARIABLES_TOO_LARGE',
    message: `The variables of the instance would take ${total} bytes, but the limit is ${MAX_VARIABLES_BYTES}. Clear or shrink some, or pass a reference to the data, then try again.`,
  });
}

/** `roomFor` the variables of one scope. */
export function roomAt(run: Run, scope: ElementInstance, variables: Variables): Result<void> {
  return roomFor(run, [[scope, variables]]);
}

function replacedBytes({ variables: present = {} }: ElementInstance, variables: Variables): number {
  const replaced: Variables = {};
  for (const name of Object.keys(variables))
    if (Object.hasOwn(present, name)) setMember(replaced, name, present[name]!);
  return byteLength(replaced);
}
