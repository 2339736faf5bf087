/** The imports between the source files of this repository, read from their text. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { repositoryRoot } from '../../dev/repository.js';

export interface Import {
  from: string;
  to: string;
  /** Whether the import disappears when the file is compiled. */
  isType: boolean;
}

const declarations = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** Paths of all TypeScript and JavaScript files that git does not ignore, from the top folder. */
export function sourceFiles(): string[] {
  const tracked = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'];
  const listed = execFileSync('git', tracked, { cwd: repositoryRoot, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('.d.ts') && existsSync(join(repositoryRoot, file)));
}

export function importsOf(files: readonly string[]): Import[] {
  const known = new Set(files);
  return files.flatMap((from) =>
    [...readFileSync(join(repositoryRoot, from), 'utf8').matchAll(declarations)].flatMap(([, type, specifier]) => {
      const to = targetOf(from, specifier!, known);
      return to === undefined ? [] : [{ from, to, isType: type !== undefined }];
    }),
  );
}

/** The imported file; undefined for packages of others and for files that are not source code. */
function targetOf(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  const own = /^@perdure\/([^/]+)\/?(.*)$/.exec(specifier);
  const path = own
    ? posix.join('packages', own[1]!, own[2] || 'index.js')
    : specifier.startsWith('.')
      ? posix.join(dirname(from), specifier)
      : undefined;
  if (path === undefined) return undefined;
  const stem = path.replace(/\.js$/, '');
  return [path, `${stem}.ts`, `${stem}.tsx`].find((candidate) => known.has(candidate));
}
