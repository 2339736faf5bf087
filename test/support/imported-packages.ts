/** The packages that compiled files import, by their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Without those of Node itself.
 *
 * @param kind of the files, by name
 * @param leftOut a folder in it whose files are not modules of Node
 */
export function importedPackages(folder: string, kind = /\.js$|\.d\.ts$/, leftOut?: string): string[] {
  const files = compiledFiles(folder, kind).filter((name) => leftOut === undefined || !name.startsWith(`${leftOut}/`));
  const specifiers = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(imports)].map((match) => (match[1] ?? match[2] ?? match[3])!),
  );
  const packages = specifiers.filter((specifier) => !specifier.startsWith('node:')).map(packageOf);
  return [...new Set(packages)].sort();
}

const imports =
  /^(?:import|export) (?:.*? from )?'([^.'][^']*)'|\bimport\('([^.'][^']*)'\)|\brequire\.resolve\('([^.'][^']*)'\)/gm;

export function compiledFiles(folder: string, kind = /\.js$/): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => kind.test(name));
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
