/** The events of task listeners. Camunda 8 had other names for them at first, and still takes those. */
import type { TaskListenerEvent } from '../../contract/facts.js';

export const TASK_EVENTS = [
  'creating',
  'assigning',
  'updating',
  'completing',
  'canceling',
] as const satisfies readonly TaskListenerEvent[];

const FORMER: ReadonlyMap<string, string> = new Map([
  ['create', 'creating'],
  ['assignment', 'assigning'],
  ['update', 'updating'],
  ['complete', 'completing'],
  ['cancel', 'canceling'],
]);

/** The present name of an event. */
export function taskEventOf(given: string): string {
  return FORMER.get(given) ?? given;
}
