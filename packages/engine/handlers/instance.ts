/** Commands for the instance as a whole. */
import { cancel } from '../behaviors/lifecycle/cancellation.js';
import { roomAt } from '../behaviors/lifecycle/capacity.js';
import { clearVariables, setLocal } from '../behaviors/data/variables.js';
import type { Variables } from '../contract/json.js';
import { record } from '../run.js';
import { ROOT } from '../state/state.js';
import { APPLIED, rejected, type Handler } from './handler.js';

export const cancelInstance: Handler<'CANCEL_INSTANCE'> = (run, command) => {
  const reason = command.reason ?? 'the instance was canceled';
  cancel(run, run.state.elements[ROOT]!, reason);
  record(run, { kind: 'INSTANCE_CANCELED', reason });
  return APPLIED;
};

/** Merges into the process's own variables; null removes a name. */
export const setVariables: Handler<'SET_VARIABLES'> = (run, command) => {
  const entries = Object.entries(command.variables);
  const names = entries.filter(([, item]) => item === null).map(([name]) => name);
  const kept: Variables = Object.fromEntries(entries.filter(([, item]) => item !== null));
  const room = roomAt(run, run.state.elements[ROOT]!, command.variables);
  if (!room.ok) return rejected('BAD_REQUEST', room.failure.message);
  setLocal(run, run.state.elements[ROOT]!, kept);
  if (names.length > 0) clearVariables(run, run.state.elements[ROOT]!, names);
  return APPLIED;
};
