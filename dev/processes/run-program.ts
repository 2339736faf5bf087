import { createInterface } from 'node:readline/promises';
import { startProgram } from './child.js';
import type { Program } from './program.js';

const lastLinesKept = 5;

export interface ProgramRun {
  code: number | null;
  /** The end of its standard error, in one line. */
  lastWords: string;
}

/** Runs an external program to its end; it never outlives this process. */
export async function runProgram(
  program: Program,
  options: { environment?: NodeJS.ProcessEnv; onLine?: (line: string) => void } = {},
): Promise<ProgramRun> {
  const child = startProgram(program, { environment: options.environment });
  if (child.output === null) throw new Error('A program without a log file has readable output');
  let last: string[] = [];
  for await (const line of createInterface(child.output)) {
    options.onLine?.(line);
    if (line.trim() !== '') last = [...last, line.trim()].slice(-lastLinesKept);
  }
  const { code } = await child.ended;
  return { code, lastWords: last.join(' / ') };
}
