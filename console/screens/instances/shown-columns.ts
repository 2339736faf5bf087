/** Which columns the list shows: those of the address, else those chosen in this browser. */

/** The link to the instance is always shown, and no choice. */
export const choices = [
  { key: 'businessId', label: 'Business id' },
  { key: 'process', label: 'Process' },
  { key: 'status', label: 'Status' },
  { key: 'started', label: 'Started' },
  { key: 'ended', label: 'Ended' },
  { key: 'duration', label: 'Duration' },
  { key: 'startedBy', label: 'Started by' },
  { key: 'failure', label: 'Failure' },
] as const;

export type ColumnKey = (typeof choices)[number]['key'];

const standard = choices.slice(0, 6).map(({ key }) => key);
/** So that no chosen column at all differs from no choice. */
const fixed = 'instance';

/** In the order of the list. Undefined is the standard; unknown names are ignored. */
export function columnsOf(text: string | undefined): readonly ColumnKey[] {
  if (text === undefined) return standard;
  const names = text.split(',');
  return choices.map(({ key }) => key).filter((key) => names.includes(key));
}

/** The text of these columns in an address. */
export function textOf(columns: readonly string[]): string {
  return [fixed, ...columnsOf(columns.join(','))].join(',');
}

/** The text to store; undefined for the standard, which may get more columns. */
export function storedText(columns: readonly string[]): string | undefined {
  const text = textOf(columns);
  return text === textOf(standard) ? undefined : text;
}
