/**
 * Dates, times, date-times and durations as values (DMN 1.5 section 10.3.2.3). All are immutable and use integer
 * arithmetic.
 */
import { FeelObject } from '../values/values.js';
import { DAY_SECONDS, daysInMonth, fromEpochDay, LAST_YEAR, toEpochDay } from './calendar.js';
import { formatZone, offsetAtInstant, offsetAtLocal, offsetBefore, type Zone } from './zone.js';

export const NANOS_PER_SECOND = 1_000_000_000;
export const NANOS_PER_DAY = DAY_SECONDS * NANOS_PER_SECOND;
export const DAY = BigInt(NANOS_PER_DAY);

const MAX_DURATION_SECONDS = BigInt(LAST_YEAR) * 366n * 86_400n * 2n;

export class FeelDate extends FeelObject {
  readonly type = 'date';

  private constructor(
    readonly year: number,
    readonly month: number,
    readonly day: number,
  ) {
    super();
  }

  /** `undefined` if the day does not exist. */
  static of(year: number, month: number, day: number): FeelDate | undefined {
    const inRange =
      Number.isInteger(year) && Math.abs(year) <= LAST_YEAR && Number.isInteger(month) && month >= 1 && month <= 12;
    return inRange && Number.isInteger(day) && day >= 1 && day <= daysInMonth(year, month)
      ? new FeelDate(year, month, day)
      : undefined;
  }

  static ofEpochDay(epochDay: number): FeelDate | undefined {
    const [year, month, day] = fromEpochDay(epochDay);
    return Math.abs(year) <= LAST_YEAR ? new FeelDate(year, month, day) : undefined;
  }

  get epochDay(): number {
    return toEpochDay(this.year, this.month, this.day);
  }

  /** Keeps the day if the month has it, otherwise uses the last day. */
  plusMonths(months: number): FeelDate | undefined {
    const total = this.year * 12 + this.month - 1 + months;
    const year = Math.floor(total / 12);
    const month = total - year * 12 + 1;
    return FeelDate.of(year, month, Math.min(this.day, daysInMonth(year, month)));
  }

  override toString(): string {
    const year = String(Math.abs(this.year)).padStart(4, '0');
    return `${this.year < 0 ? '-' : ''}${year}-${two(this.month)}-${two(this.day)}`;
  }
}

export class FeelTime extends FeelObject {
  readonly type = 'time';

  constructor(
    /** Nanoseconds since midnight, less than a day. */
    readonly nanos: number,
    readonly zone: Zone | undefined,
  ) {
    super();
  }

  get hour(): number {
    return Math.floor(this.nanos / NANOS_PER_SECOND / 3600);
  }

  get minute(): number {
    return Math.floor(this.nanos / NANOS_PER_SECOND / 60) % 60;
  }

  /** Whole seconds; the fraction is in `nanos`. */
  get second(): number {
    return Math.floor(this.nanos / NANOS_PER_SECOND) % 60;
  }

  override toString(): string {
    const fraction = this.nanos % NANOS_PER_SECOND;
    const decimals =
      fraction === 0
        ? ''
        : `.${String(fraction)
            .padStart(9, '0')
            .replace(/(?<!0)0+$/, '')}`;
    const zone = this.zone === undefined ? '' : formatZone(this.zone);
    return `${two(this.hour)}:${two(this.minute)}:${two(this.second)}${decimals}${zone}`;
  }
}

export class FeelDateTime extends FeelObject {
  readonly type = 'date and time';

  private constructor(
    readonly date: FeelDate,
    readonly time: FeelTime,
    /** Offset of a named time zone, because a local time that occurs twice does not determine it. */
    private readonly offset?: number,
  ) {
    super();
  }

  /**
   * A local time that its zone skips becomes the time that clocks show then. For one that occurs twice, the earlier is
   * used.
   */
  static of(date: FeelDate, time: FeelTime): FeelDateTime | undefined {
    const { zone } = time;
    if (zone === undefined || 'offset' in zone) return new FeelDateTime(date, time);
    const local = localSeconds(date, time);
    const offset = offsetAtLocal(zone, local);
    if (offset !== undefined) return new FeelDateTime(date, time, offset);
    const nanos =
      BigInt(local - offsetBefore(zone, local)) * BigInt(NANOS_PER_SECOND) + BigInt(time.nanos % NANOS_PER_SECOND);
    return FeelDateTime.ofEpochNanos(nanos, zone);
  }

  /** Midnight at the start of a day. */
  static atMidnight(date: FeelDate, zone: { readonly offset: number } | undefined): FeelDateTime {
    return new FeelDateTime(date, new FeelTime(0, zone));
  }

  /** The moment a number of nanoseconds after 1970-01-01T00:00:00Z. `undefined` if the year is out of range. */
  static ofEpochNanos(nanos: bigint, zone: Zone): FeelDateTime | undefined {
    const offset = offsetAtInstant(zone, Number(floorDivide(nanos, BigInt(NANOS_PER_SECOND))));
    const local = FeelDateTime.ofLocalNanos(nanos + BigInt(offset) * BigInt(NANOS_PER_SECOND), undefined);
    return local && new FeelDateTime(local.date, new FeelTime(local.time.nanos, zone), offset);
  }

  /** For a time zone with a fixed offset, or none. `undefined` if the year is out of range. */
  static ofLocalNanos(nanos: bigint, zone: { readonly offset: number } | undefined): FeelDateTime | undefined {
    const date = FeelDate.ofEpochDay(Number(floorDivide(nanos, DAY)));
    return date && new FeelDateTime(date, new FeelTime(Number(floorModulo(nanos, DAY)), zone));
  }

  /** Nanoseconds since 1970-01-01T00:00:00 in local time. */
  get localNanos(): bigint {
    return BigInt(this.date.epochDay) * DAY + BigInt(this.time.nanos);
  }

  /** Seconds ahead of UTC; 0 for a local date-time. */
  get offsetSeconds(): number {
    const { zone } = this.time;
    if (this.offset !== undefined) return this.offset;
    return zone !== undefined && 'offset' in zone ? zone.offset : 0;
  }

  /** Nanoseconds since 1970-01-01T00:00:00Z; a local date-time counts as UTC. */
  get epochNanos(): bigint {
    return this.localNanos - BigInt(this.offsetSeconds) * BigInt(NANOS_PER_SECOND);
  }

  /** Whole seconds since 1970-01-01T00:00:00Z. */
  get epochSeconds(): number {
    return localSeconds(this.date, this.time) - this.offsetSeconds;
  }

  override toString(): string {
    return `${this.date}T${this.time}`;
  }
}

/** Whole seconds since 1970-01-01T00:00:00 in local time. */
function localSeconds(date: FeelDate, time: FeelTime): number {
  return date.epochDay * DAY_SECONDS + Math.floor(time.nanos / NANOS_PER_SECOND);
}

export class DaysTimeDuration extends FeelObject {
  readonly type = 'days and time duration';

  private constructor(readonly nanos: bigint) {
    super();
  }

  /** `undefined` if it is longer than the calendar. */
  static of(nanos: bigint): DaysTimeDuration | undefined {
    const limit = MAX_DURATION_SECONDS * BigInt(NANOS_PER_SECOND);
    return nanos <= limit && nanos >= -limit ? new DaysTimeDuration(nanos) : undefined;
  }

  override toString(): string {
    const size = this.nanos < 0n ? -this.nanos : this.nanos;
    const seconds = size / BigInt(NANOS_PER_SECOND);
    const fraction = String(size % BigInt(NANOS_PER_SECOND))
      .padStart(9, '0')
      .replace(/(?<!0)0+$/, '');
    const days = seconds / 86_400n;
    const hours = (seconds / 3600n) % 24n;
    const minutes = (seconds / 60n) % 60n;
    const rest = `${seconds % 60n}${fraction === '' ? '' : `.${fraction}`}`;
    const clock = `${hours === 0n ? '' : `${hours}H`}${minutes === 0n ? '' : `${minutes}M`}${rest === '0' ? '' : `${rest}S`}`;
    if (size === 0n) return 'PT0S';
    return `${this.nanos < 0n ? '-' : ''}P${days === 0n ? '' : `${days}D`}${clock === '' ? '' : `T${clock}`}`;
  }
}

export class YearsMonthsDuration extends FeelObject {
  readonly type = 'years and months duration';

  private constructor(readonly months: number) {
    super();
  }

  /** `undefined` if it is longer than the calendar. */
  static of(months: number): YearsMonthsDuration | undefined {
    return Math.abs(months) <= LAST_YEAR * 24 ? new YearsMonthsDuration(months + 0) : undefined;
  }

  override toString(): string {
    const size = Math.abs(this.months);
    const years = Math.floor(size / 12);
    if (size === 0) return 'P0M';
    return `${this.months < 0 ? '-' : ''}P${years === 0 ? '' : `${years}Y`}${size % 12 === 0 ? '' : `${size % 12}M`}`;
  }
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function floorModulo(value: bigint, by: bigint): bigint {
  const remainder = value % by;
  return remainder < 0n ? remainder + by : remainder;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
