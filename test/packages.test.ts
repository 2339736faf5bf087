/** The packages that users install: packed, installed into an empty folder without network, and run. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../dev/repository.js';
import { compiledFiles, importedPackages } from './support/imported-packages.js';
import { inDependencyOrder, publishedPackages } from '../tools/packages/published.mjs';

interface Packed {
  name: string;
  filename: string;
  files: { path: string }[];
}

const run = promisify(execFile);
/** `@perdure/dev` has another test, test/dev/dev-from-packages.test.ts: with what it needs, it is too large for this one. */
const devPackage = '@perdure/dev';
const all = publishedPackages();
const published = all.filter(({ name }) => name !== devPackage);
const product = readJson(join(repositoryRoot, 'package.json'));
/** Development starts what production gets from others, so its packages are development packages of the product. */
const tested = { ...product.devDependencies, ...product.dependencies };
const folderOf = (name: string) => join(repositoryRoot, name.replace('@perdure', 'packages'));
const names = published.map(({ name }) => name);

let home: string;
let packed: Packed[];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'perdure-packages-'));
  const others = pack(dependenciesOfOthers().map((name) => `./node_modules/${name}`));
  await compileAll();
  packed = await pack(names.map((name) => `--workspace=${name}`));
  await install([...packed, ...(await others)]);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('packages are published after what they need', () => {
  const [a, b, c] = [
    { name: 'a', dependencies: { b: '1', other: '1' } },
    { name: 'b', dependencies: { c: '1' } },
    { name: 'c' },
  ];
  expect(inDependencyOrder([a, b, c].map((each) => ({ version: '1', ...each }))).map(({ name }) => name)).toEqual([
    'c',
    'b',
    'a',
  ]);
  expect(names.sort()).toEqual(
    'backtest bpmn cli client configuration convert dmn engine feel forms juel lib testkit xml'
      .split(' ')
      .map((name) => `@perdure/${name}`),
  );
  expect(all.map(({ name }) => name)).toContain(devPackage);
});

it.each(all)('$name has the version of the product and the dependencies it is tested with', (own) => {
  expect(own.version).toBe(product.version);
  for (const [name, version] of Object.entries(own.dependencies ?? {}))
    expect(version, name).toBe(name.startsWith('@perdure/') ? product.version : tested[name]);
});

it.each(published)('$name is compiled whenever it is packed', ({ name }) => {
  expect(readJson(join(folderOf(name), 'package.json')).scripts).toEqual({ prepack: 'rm -rf dist && tsc -b' });
});

it.each(names)('%s holds its own compiled files, its README and the license of the product', (name) => {
  const files = packed.find((each) => each.name === name)!.files.map(({ path }) => path);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  expect(readFileSync(join(folderOf(name), 'LICENSE'), 'utf8')).toBe(
    readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8'),
  );
  const compiled = files.filter((path) => path.endsWith('.js') && path !== 'perdure.js');
  for (const path of compiled) {
    const source = join(folderOf(name), path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    expect(existsSync(source), path).toBe(true);
  }
  expect(compiled.length).toBeGreaterThan(0);
});

it.each(names)('%s names the packages that it imports, and no other', (name) => {
  const installed = join(home, 'node_modules', name);
  // A package can import itself by name, so that its manifest selects a file.
  expect(importedPackages(installed).filter((imported) => imported !== name)).toEqual(
    Object.keys(readJson(join(installed, 'package.json')).dependencies ?? {}).sort(),
  );
});

it('every module can be imported, from one copy of each package', async () => {
  const copies = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /@perdure\/[a-z]+\/package\.json$/.test(path),
  );
  expect(copies).toHaveLength(names.length);
  const libraries = names.flatMap((name) =>
    compiledFiles(join(home, 'node_modules', name)).map((path) => `${name}/${path}`),
  );
  const startsWhenImported = /(^@perdure\/cli\/)|-thread\.js$/;
  const modules = libraries.filter((path) => !startsWhenImported.test(path)).map((path) => `./node_modules/${path}`);
  writeFileSync(join(home, 'import-all.mjs'), modules.map((path) => `import '${path}';`).join('\n'));
  await run(process.execPath, ['import-all.mjs'], { cwd: home });
});

it('the command prints its help and checks a model', async () => {
  const command = join(home, 'node_modules', '.bin', 'perdure');
  expect((await run(command, ['--help'])).stdout).toContain('Usage: perdure COMMAND');
  const { stdout, stderr } = await run(command, ['lint', 'collect-payment.bpmn'], { cwd: home });
  expect(stdout + stderr).toContain('collect-payment.bpmn: deploys collect-payment');
});

it('the testkit runs a process', async () => {
  writeFileSync(
    join(home, 'process.mjs'),
    `import { testProcess } from '@perdure/testkit';
    import '@perdure/testkit/coverage-reporter';
    const instance = (await testProcess('collect-payment.bpmn')).start({ total: 120, orderID: 'order-1' });
    console.log(instance.constructor.name);`,
  );
  expect((await run(process.execPath, ['process.mjs'], { cwd: home })).stdout).toContain('Instance');
});

it('the client compiles in a strict project and calls the host', async () => {
  const server = createServer((_request, response) =>
    response.setHeader('Content-Type', 'application/json').end('{"items":[]}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(
      join(home, 'call.ts'),
      `import { createClient, unwrap } from '@perdure/client';
      import { testProcess } from '@perdure/testkit';
      const client = createClient({ api: '${api}', accessToken: async () => 'token' });
      const params = { path: { projectID: 'demo' } };
      export const answer = await unwrap(client.GET('/projects/{projectID}/bpmn/incidents', { params }));
      export const total: (file: string) => unknown = testProcess;
      console.log(JSON.stringify(answer));`,
    );
    const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', '--ignoreConfig'];
    await run(process.execPath, [compiler, ...options, 'call.ts'], { cwd: home });
    expect((await run(process.execPath, ['call.js'], { cwd: home })).stdout).toBe('{"items":[]}\n');
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

/** As the script `prepack` of each package does it, in one process: alone, each reads all that it depends on again. */
async function compileAll(): Promise<void> {
  const folders = names.map(folderOf);
  for (const folder of folders) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  await run(process.execPath, [join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', ...folders]);
}

/** Runs npm pack in the repository. */
async function pack(what: string[]): Promise<Packed[]> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', `--pack-destination=${home}`, ...what], {
    cwd: repositoryRoot,
    maxBuffer: 16 * 1024 * 1024,
  });
  const result = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  return Object.values(result);
}

/** The tarballs satisfy all dependencies of each other, so that npm needs no registry. */
async function install(tarballs: Packed[]): Promise<void> {
  const dependencies = Object.fromEntries(tarballs.map(({ name, filename }) => [name, `file:./${filename}`]));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  cpSync(join(repositoryRoot, 'examples/order-fulfilment/collect-payment.bpmn'), join(home, 'collect-payment.bpmn'));
  mkdirSync(join(home, 'cache'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `--cache=${join(home, 'cache')}`], {
    cwd: home,
  });
}

/** Packages of others that ours need, directly or not. */
function dependenciesOfOthers(): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const { dependencies = {} } = readJson(join(repositoryRoot, 'node_modules', name, 'package.json'));
    Object.keys(dependencies).forEach(add);
  };
  const direct = published.flatMap(({ dependencies = {} }) => Object.keys(dependencies));
  direct.filter((name) => !name.startsWith('@perdure/')).forEach(add);
  return [...found];
}

function readJson(file: string): any {
  return JSON.parse(readFileSync(file, 'utf8'));
}
