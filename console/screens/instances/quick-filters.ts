/** The questions that operators ask most, one press each. */
import type { QuickFilter } from '../../features/filters/chips.js';

export const quickFilters: readonly QuickFilter[] = [
  { label: 'Running', filter: 'status', value: 'RUNNING' },
  { label: 'With incident', filter: 'hasIncident', value: 'true' },
  { label: 'Paused', filter: 'suspended', value: 'true' },
  { label: 'Over target', filter: 'overTarget', value: 'true' },
  { label: 'Ended', filter: 'status', value: 'COMPLETED,FAILED,CANCELED' },
];

/** The id of an instance in a text, such as a line of a log or an address. The host generates ids. */
export function instanceIDIn(text: string): string | undefined {
  return /(?<![\da-z-])(?:test-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z-])/i.exec(text)?.[0].toLowerCase();
}

/** The text as the beginning of an instance id, if it can be one that the list accepts. */
export function instanceIDPrefixOf(text: string): string | undefined {
  return /^(?:test-)?[\da-f]{4}[\da-f-]{0,32}$/i.test(text) ? text.toLowerCase() : undefined;
}
