/** The proleptic Gregorian calendar on integers (years of at most nine digits, as in XML Schema and DMN). */

export const LAST_YEAR = 999_999_999;
export const DAY_SECONDS = 86_400;

export const DAYS_PER_ERA = 146_097;
const DAYS_TO_1970 = 719_468;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** Days since 1970-01-01, counted in eras of 400 years that start on March 1. */
export function toEpochDay(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
}

/** Year, month and day of a number of days since 1970-01-01. */
export function fromEpochDay(epochDay: number): [year: number, month: number, day: number] {
  const days = epochDay + DAYS_TO_1970;
  const era = Math.floor(days / DAYS_PER_ERA);
  const dayOfEra = days - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

/** Monday is 1, Sunday 7. */
export function dayOfWeek(epochDay: number): number {
  return ((((epochDay + 3) % 7) + 7) % 7) + 1;
}

/** ISO 8601 week number. */
export function weekOfYear(epochDay: number): number {
  const thursday = epochDay - dayOfWeek(epochDay) + 4;
  const [thursdayYear] = fromEpochDay(thursday);
  return Math.floor((thursday - toEpochDay(thursdayYear, 1, 1)) / 7) + 1;
}
