import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

const run = promisify(execFile);

it('the preparation says in one sentence that Node is too old', async () => {
  const older =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } })';

  await expect(
    run(process.execPath, ['--import', older, join(repositoryRoot, 'dev', 'prepare.mjs')]),
  ).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Perdure needs Node 20.12 or later, but this is Node 20.11.1 (${process.execPath})\n`,
  });
});
