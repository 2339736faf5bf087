/** Texts of input fields as values of a context. */

const TEMPORAL: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date and time',
  'dateTime',
  'days and time duration',
  'dayTimeDuration',
  'years and months duration',
  'yearMonthDuration',
]);

const NAMES: Readonly<Record<string, string>> = {
  dateTime: 'date and time',
  dayTimeDuration: 'days and time duration',
  yearMonthDuration: 'years and months duration',
};

/** The values that a field of the type takes, for people. */
export function hintOf(type: string | undefined): string {
  if (type === undefined) return 'JSON or text';
  return type;
}

/** An empty field gives none. A field without a simple type takes JSON, and text that is not JSON. */
export function valueOf(text: string, type: string | undefined): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'string') return text;
  if (type !== undefined && TEMPORAL.has(type)) return { '@feel': NAMES[type] ?? type, value: text.trim() };
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function contextOf(
  fields: readonly { name: string; typeRef?: string }[],
  texts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const values = fields.map(({ name, typeRef }) => [name, valueOf(texts.get(name) ?? '', typeRef)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
