/** The output of a command: lines and tables for people, JSON with `--json` for programs. */
import { printable, printableJson, printableLines } from '@perdure/lib/trust/printable.js';

export interface Terminal {
  readonly json: boolean;
  /** To standard output. */
  write(line: string): void;
  /** To standard error. */
  complain(line: string): void;
}

/** Writes the value as JSON if `--json` is set, otherwise the lines. */
export function show(terminal: Terminal, value: unknown, lines: () => readonly string[]): void {
  if (terminal.json) showJson(terminal, value);
  else for (const line of lines()) terminal.write(line);
}

export function showJson(terminal: Terminal, value: unknown): void {
  terminal.write(printableJson(JSON.stringify(value)));
}

/**
 * The only way to the terminal. Names, values, and files come from other people, so no character that a terminal obeys
 * passes, whatever a command writes.
 */
export function createTerminal(json: boolean, { write, complain }: Omit<Terminal, 'json'>): Terminal {
  return {
    json,
    write: (text) => write(printableLines(text)),
    complain: (text) => complain(printableLines(text)),
  };
}

/** Columns as wide as their widest cell. Empty if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly (string | number | undefined)[])[]): string[] {
  if (rows.length === 0) return [];
  const cells = [head, ...rows].map((row) => row.map((cell) => printable(String(cell ?? ''))));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/** `1 instance`, `2 instances`, `2 batches`, `2 deliveries` */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  if (noun.endsWith('y')) return `${count} ${noun.slice(0, -1)}ies`;
  return `${count} ${noun}${noun.endsWith('ch') ? 'es' : 's'}`;
}
