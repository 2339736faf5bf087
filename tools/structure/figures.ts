/** Sizes of the source code without its tests, and of the schema. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/repository.js';

/** The column that the formatter keeps. Only texts that it does not break are longer. */
export const MAX_COLUMNS = 120;

export interface Figures {
  files: number;
  lines: number;
  longLines: number;
  tables: number;
}

export function figuresOf(files: readonly string[]): Figures {
  const sources = files.filter((file) => !file.startsWith('test/')).map((file) => linesOf(file));
  const lines = sources.flat();
  return {
    files: sources.length,
    lines: lines.length,
    longLines: lines.filter((line) => line.length > MAX_COLUMNS).length,
    tables: tables(),
  };
}

function linesOf(file: string): string[] {
  return readFileSync(join(repositoryRoot, file), 'utf8').replace(/\n$/, '').split('\n');
}

function tables(): number {
  const folder = join(repositoryRoot, 'store/migrations');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/^CREATE TABLE\b/gim)]).length;
}
