import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { tryLock } from '../../dev/lock.mjs';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-lock-'));
  path = join(folder, 'thing.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const contender = `
  import { tryLock } from ${JSON.stringify(join(repositoryRoot, 'dev', 'lock.mjs'))};
  const { holder } = tryLock(process.argv[1]);
  console.log(holder ?? 'mine');
  setInterval(() => {}, 1000);
`;

/** Another process that tries to take the lock, prints the outcome, and keeps running. */
async function contend() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', contender, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function kill({ child }: Awaited<ReturnType<typeof contend>>): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

it('the lock goes to exactly one of several processes, and names its holder to the others', async () => {
  const all = await Promise.all([contend(), contend(), contend(), contend()]);

  const winners = all.filter(({ said }) => said === 'mine');
  expect(winners).toHaveLength(1);
  for (const { said } of all) expect(['mine', String(winners[0]?.child.pid)]).toContain(said);
  await Promise.all(all.map(kill));
});

it('the lock goes to exactly one of several processes after its holder was killed', async () => {
  await kill(await contend());

  const all = await Promise.all([contend(), contend(), contend(), contend()]);

  expect(all.filter(({ said }) => said === 'mine')).toHaveLength(1);
  await Promise.all(all.map(kill));
});

it('the lock can be taken again once it has been released, and leaves no file', () => {
  tryLock(path).release?.();
  tryLock(path).release?.();

  expect(readdirSync(folder)).toEqual([]);
});
