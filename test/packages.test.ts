/** The packages that users install: each compiles by itself to what it says it has. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../dev/repository.js';

const run = promisify(execFile);
const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
const packages = ['packages/client', 'packages/testkit', 'packages/cli'];

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  exports: Record<string, { types: string; default: string }>;
  bin?: Record<string, string>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as Manifest;

it.each(packages)('%s has the version of the product and the dependencies it is tested with', (folder) => {
  const [product, own] = [manifestOf('.'), manifestOf(folder)];
  expect(own.version).toBe(product.version);
  expect(product.dependencies).toMatchObject(own.dependencies);
});

it.each(packages)('%s carries the licence of the product', (folder) => {
  const licence = (path: string) => readFileSync(join(repositoryRoot, path, 'LICENSE'), 'utf8');
  expect(licence(folder)).toBe(licence('.'));
});

it.each(packages)(
  '%s compiles to what it says it has, and imports no package that it does not name',
  async (folder) => {
    const output = mkdtempSync(join(tmpdir(), 'perdure-package-'));
    try {
      await run(process.execPath, [compiler, '-p', join(repositoryRoot, folder), '--outDir', output]);
      const { exports, bin = {}, dependencies } = manifestOf(folder);
      const named = [...Object.values(exports).flatMap((entry) => Object.values(entry)), ...Object.values(bin)];
      for (const path of named)
        expect(
          existsSync(join(output, path.replace(/^(\.\/)?dist\//, ''))) ||
            existsSync(join(repositoryRoot, folder, path)),
          path,
        ).toBe(true);
      expect(importedPackages(output)).toEqual(Object.keys(dependencies).sort());
    } finally {
      rmSync(output, { recursive: true, force: true });
    }
  },
);

/** Of all the JavaScript in the folder, without those of Node itself. */
function importedPackages(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const specifiers = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^(?:import|export) .*from '([^.'][^']*)'/gm)].map(
      (match) => match[1]!,
    ),
  );
  return [...new Set(specifiers.filter((specifier) => !specifier.startsWith('node:')))].sort();
}
