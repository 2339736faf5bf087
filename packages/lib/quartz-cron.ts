/**
 * Cron expressions of Quartz, which Camunda 7, Operaton, Activiti, Flowable and jBPM use, as cron expressions of
 * Perdure. Quartz counts weekdays from 1 (Sunday) to 7 (Saturday), has an optional seventh field for the year, ranges
 * that wrap around (`22-2`), and runs in the zone of its server.
 *
 * Weekdays are translated to names. They mean the same in both, so a translated expression can be translated again.
 */

export type QuartzCron =
  | {
      kind: 'cron';
      /** The expression as Perdure reads it; the given text if it means the same. */
      text: string;
      /** Whether it depends on the zone. */
      zoned: boolean;
      /** Whether its weekdays would be others if it were read as Perdure's. */
      numbersWeekdays: boolean;
    }
  /** `reason` names the part without an equivalent. */
  | { kind: 'refused'; reason: string; numbersWeekdays: boolean };

interface Field {
  name: string;
  first: number;
  last: number;
  /** From `first` on. */
  names?: readonly string[];
}

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const;
const WEEKDAY: Field = { name: 'day of week', first: 1, last: 7, names: WEEKDAYS };
const FIELDS: readonly Field[] = [
  { name: 'second', first: 0, last: 59 },
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  { name: 'day of month', first: 1, last: 31 },
  { name: 'month', first: 1, last: 12, names: MONTHS },
  WEEKDAY,
];
const HOUR = 2;
/** As long as cron expressions may be. */
const LONGEST = 255;

class Refusal extends Error {}

/** Undefined for any text but a cron expression of six or seven fields: for an ISO 8601 repetition, for example. */
export function fromQuartz(text: string): QuartzCron | undefined {
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  if (/^@[a-z]+$/i.test(trimmed))
    return { kind: 'cron', text, zoned: trimmed.toLowerCase() !== '@hourly', numbersWeekdays: false };
  const fields = trimmed.toUpperCase().split(/\s+/);
  if (fields.length !== FIELDS.length && fields.length !== FIELDS.length + 1) return undefined;
  if (!fields.every((field) => /^[\w*?/,#-]+$/.test(field))) return undefined;
  const numbersWeekdays = /(?:^|[,-])\d/.test(fields[FIELDS.length - 1]!);
  try {
    const translated = FIELDS.map((field, index) => translateField(fields[index]!, field));
    checkYear(fields[FIELDS.length]);
    const changed = fields.length > FIELDS.length || translated.some((part, index) => part !== fields[index]);
    const zoned = translated.slice(HOUR).some((part) => !/^[*?](?:\/1)?$/.test(part));
    return { kind: 'cron', text: changed ? translated.join(' ') : text, zoned, numbersWeekdays };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message, numbersWeekdays };
    throw error;
  }
}

function checkYear(year: string | undefined): void {
  if (year !== undefined && !/^\*(?:\/1)?$/.test(year))
    throw new Refusal(
      `the year ${JSON.stringify(year)} has no equivalent: cron expressions here have six fields. Use timeDate for a single date, or end the cycle in the model.`,
    );
}

function translateField(text: string, field: Field): string {
  return text
    .split(',')
    .map((part) => translatePart(part, field))
    .join(',');
}

function translatePart(part: string, field: Field): string {
  refuseSpecial(part, field);
  const written = /^(\w*|\*|\?)(?:-(\w+))?(?:\/(\d{1,2}))?$/.exec(part);
  // The parser of cron expressions refuses it.
  if (!written) return part;
  const [, start = '', end, every] = written;
  if (start === '' && end === undefined && every !== undefined) return `*/${every}`;
  if (start === '*' || start === '?') return part;
  const from = numberOf(start, field);
  const to = end === undefined ? (every === undefined ? from : field.last) : numberOf(end, field);
  if (from === undefined || to === undefined) return refuseWeekday(part, field);
  if (every === undefined) return from <= to && isNamed(start, end, field) ? part : rangeText(from, to, 1, field);
  if (!/^\d+$/.test(start) || (end !== undefined && !/^\d+$/.test(end)))
    throw new Refusal(
      `the part ${JSON.stringify(part)} of the ${field.name} has a step after a name, which versions of Quartz read differently. List the values.`,
    );
  if (Number(every) === 0)
    throw new Refusal(`the part ${JSON.stringify(part)} of the ${field.name} has a step of 0. Use at least 1.`);
  return from <= to && field !== WEEKDAY ? part : rangeText(from, to, Number(every), field);
}

/** Whether the part means the same here: in fields other than the weekday, numbers do as well. */
function isNamed(start: string, end: string | undefined, field: Field): boolean {
  return field !== WEEKDAY || (!/^\d/.test(start) && (end === undefined || !/^\d/.test(end)));
}

/** The values from `from` to `to`, past the end of the field if `to` is lower. */
function rangeText(from: number, to: number, step: number, field: Field): string {
  const size = field.last - field.first + 1;
  if (field === WEEKDAY && step > 1) {
    const days: string[] = [];
    for (let day = from; day <= (to < from ? to + size : to); day += step) days.push(WEEKDAYS[(day - 1) % size]!);
    return days.join(',');
  }
  if (from <= to) return range(from, to, step, field);
  const next = from + step * Math.ceil((field.last + 1 - from) / step) - size;
  const upToLast = range(from, field.last, step, field);
  return next <= to ? `${upToLast},${range(next, to, step, field)}` : upToLast;
}

function range(from: number, to: number, step: number, field: Field): string {
  const name = (value: number) => (field === WEEKDAY ? WEEKDAYS[value - 1]! : String(value));
  if (from === to) return name(from);
  return `${name(from)}-${name(to)}${step === 1 ? '' : `/${step}`}`;
}

function numberOf(text: string, { first, last, names = [] }: Field): number | undefined {
  const named = names.indexOf(text);
  const value = named === -1 ? (/^\d{1,2}$/.test(text) ? Number(text) : Number.NaN) : first + named;
  return value >= first && value <= last ? value : undefined;
}

/** Values out of range in other fields are refused by the parser of cron expressions. */
function refuseWeekday(part: string, field: Field): string {
  if (field !== WEEKDAY) return part;
  throw new Refusal(
    `the part ${JSON.stringify(part)} of the day of week is not a weekday of Quartz, which counts from 1 (SUN) to 7 (SAT). Write the names.`,
  );
}

const SPECIAL: { readonly [letter: string]: string } = {
  L: 'the last day',
  W: 'the nearest weekday',
  '#': 'a weekday of a certain week',
  C: 'a day of a calendar',
};

function refuseSpecial(part: string, field: Field): void {
  if (!field.name.startsWith('day')) return;
  const rest = WEEKDAYS.reduce((text, name) => text.replaceAll(name, ''), part);
  const letter = /[LWC#]/.exec(rest)?.[0];
  if (letter !== undefined)
    throw new Refusal(
      `the part ${JSON.stringify(part)} of the ${field.name} (${letter}: ${SPECIAL[letter]!}) has no equivalent. Start more often and decide in the model whether it is the day.`,
    );
}
