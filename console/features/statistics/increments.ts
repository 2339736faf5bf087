/** Distances between the values on an axis that are easy to read. */
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Whole numbers up to a billion, for counts. */
export const countIncrements = roundNumbers(9);

/** Milliseconds that are round in seconds, minutes, hours, or days. */
export const durationIncrements = [
  ...roundNumbers(3).filter((length) => length < second),
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * minute),
  ...[1, 2, 4, 6, 12].map((hours) => hours * hour),
  ...roundNumbers(4).map((days) => days * day),
];

/** 1, 2, 5, 10, 20, 50, and so on. @param digits the maximum number of digits */
function roundNumbers(digits: number): number[] {
  return Array.from({ length: digits }, (_, zeros) => [1, 2, 5].map((first) => first * 10 ** zeros)).flat();
}
