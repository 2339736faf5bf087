/** The questions that operators ask most, one press each. */
import type { QuickFilter } from '../../features/filters/chips.js';

export const quickFilters: readonly QuickFilter[] = [
  { label: 'Running', filter: 'status', value: 'RUNNING' },
  { label: 'With incident', filter: 'hasIncident', value: 'true' },
  { label: 'Paused', filter: 'suspended', value: 'true' },
  { label: 'Over target', filter: 'overTarget', value: 'true' },
  { label: 'Ended', filter: 'status', value: 'COMPLETED,FAILED,CANCELED' },
];

/** Whether a text is the id of an instance. The host generates them. */
export function isInstanceID(text: string): boolean {
  return /^(test-)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
