import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/repository.js';

const run = promisify(execFile);
const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
const manifest = (folder: string) => JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as { version: string; dependencies: Record<string, string> };

it('the package has the version of the product and the dependencies it is tested with', () => {
  const [product, client] = [manifest('.'), manifest('client')];
  expect(client.version).toBe(product.version);
  for (const [name, version] of Object.entries(client.dependencies)) expect(product.dependencies).toHaveProperty(name, version);
});

it('the package compiles by itself to what its exports name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-client-'));
  try {
    await run(process.execPath, [compiler, '-p', join(repositoryRoot, 'client'), '--outDir', folder]);
    expect(readFileSync(join(folder, 'index.d.ts'), 'utf8')).toContain('workOnJobs');
    expect(readFileSync(join(folder, 'index.js'), 'utf8')).toContain('workOnJobs');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
