/** A failure as text. */
import type { Failure } from './failure.js';

/** The message, and the differences as a table. */
export function describeFailure({ at, message, differences }: Failure): string[] {
  const head = at === undefined ? message : `${at}: ${message}`;
  if (differences.length === 0) return [head];
  const rows = [['', 'expected', 'found'], ...differences.map(({ what, expected, found }) => [what, expected, found])];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return [
    head,
    ...rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd()),
  ];
}
