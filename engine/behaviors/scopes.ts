/** What the process and every sub-process share: they begin at their start event and end when nothing is left. */
import type { Run } from '../run.js';
import type { ElementInstance } from '../state.js';
import { activate } from './activation.js';
import { listenInScope } from './event-sub-processes.js';
import { fail } from './failures.js';

/** Event sub-processes listen, then the start event is entered. */
export function enterScope(run: Run, scope: ElementInstance, start: string): void {
  const listening = listenInScope(run, scope);
  if (!listening.ok) return fail(run, scope, listening.failure);
  activate(run, start, scope);
}
