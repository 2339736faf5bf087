import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { importsOf, sourceFiles } from '../../tools/structure/imports.js';
import { layerOf, layers, testFiles, TOTAL_BUDGET_SECONDS } from '../../tools/test/layers.js';
import { inOrder, longestFiles } from '../../tools/test/longest-first.js';
import { timesOf } from '../../tools/test/run-layers.js';
import { withWorkers } from '../../tools/test/run.js';

const INFRASTRUCTURE = 'test/support/infrastructure.ts';
const filesOf = (name: string) => testFiles().filter((file) => layerOf(file).name === name);

const imports = new Map<string, string[]>();
for (const { from, to, isType } of importsOf(sourceFiles()))
  if (!isType) imports.set(from, [...(imports.get(from) ?? []), to]);

/** The file and all that it imports, directly or not. */
function reachedBy(file: string): Set<string> {
  const reached = new Set([file]);
  for (const current of reached) for (const imported of imports.get(current) ?? []) reached.add(imported);
  return reached;
}

describe('the layers of the tests', () => {
  it('have every test file exactly once', () => {
    const all = layers.flatMap(({ name }) => filesOf(name));
    expect(all.toSorted()).toEqual(testFiles());
  });

  it('name nothing that is not there, and nothing twice', () => {
    const paths = layers.flatMap((layer) => layer.paths);
    expect(paths.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('refuse a file in a folder that no layer names', () => {
    expect(() => layerOf('test/elsewhere/new.test.ts')).toThrow(
      'test/elsewhere/new.test.ts belongs to no layer of tests. Add its folder to tools/test/layers.ts.',
    );
  });

  it('let the innermost folder decide', () => {
    expect(layerOf('test/api/http/input.test.ts').name).toBe('unit');
    expect(layerOf('test/api/operations/instances.test.ts').name).toBe('temporal');
    expect(layerOf('test/api/operations/search/cursor.test.ts').name).toBe('unit');
  });

  it('keep servers out of the layers without any', () => {
    expect([...filesOf('unit'), ...filesOf('random')].filter((file) => reachedBy(file).has(INFRASTRUCTURE))).toEqual(
      [],
    );
  });

  it('replace no module, because their files share loaded ones', () => {
    const replacing = testFiles().filter((file) =>
      /\bvi\.(mock|doMock)\(/.test(readFileSync(join(repositoryRoot, file), 'utf8')),
    );
    expect(replacing).toEqual([]);
  });

  it('have only tests with servers in the store layer', () => {
    expect(filesOf('store').filter((file) => !reachedBy(file).has(INFRASTRUCTURE))).toEqual([]);
  });
});

describe('the order of files', () => {
  const file = (path: string, project: string) => ({ path, project });

  it('begins with the longest ones, keeps that of vitest for the others, and does not mix projects', () => {
    const [first, second] = longestFiles;
    const given = [
      file('test/b.test.ts', 'one'),
      file(second!, 'one'),
      file('test/a.test.ts', 'two'),
      file(first!, 'one'),
      file('test/c.test.ts', 'one'),
      file(first!, 'two'),
    ];
    expect(inOrder(given, ({ path }) => path).map(({ path, project }) => `${project} ${path}`)).toEqual([
      `one ${first}`,
      `one ${second}`,
      'one test/b.test.ts',
      'one test/c.test.ts',
      `two ${first}`,
      'two test/a.test.ts',
    ]);
  });

  it('names each file once, and only files that exist', () => {
    expect(longestFiles.filter((path) => !testFiles().includes(path))).toEqual([]);
    expect(new Set(longestFiles).size).toBe(longestFiles.length);
  });
});

/** The workers that vitest itself gives to a layer, and its order of files. */
async function configurationIn(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const script = `import { createVitest } from 'vitest/node';
    const vitest = await createVitest('test', { watch: false, project: ['unit'] });
    console.log(vitest.projects.map(({ name, config }) => name + ' ' + config.maxWorkers).join());
    console.log(vitest.config.sequence.sequencer.name);
    await vitest.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], ...environment },
  });
  return stdout.trim().split('\n');
}

it(
  'a layer has as many workers as the runner gives it, and begins with its longest files',
  { timeout: 120_000 },
  async () => {
    expect(await configurationIn(withWorkers(3))).toEqual(['unit 3', 'LongestFirst']);
  },
);

it('a run reports the time of each layer and of all lanes together, and what exceeded its budget', () => {
  const [unit, random] = layers.map((layer) => ({ layer, outcome: { passed: 1, failures: [] } }));
  const runs = [
    { ...unit!, seconds: 59.6 },
    { ...random!, seconds: random!.layer.budgetSeconds + 1 },
  ];
  const { budgetSeconds } = random!.layer;
  expect(timesOf(runs, 130)).toBe(
    [
      'Layers',
      '  unit         60 s',
      `  random    ${String(budgetSeconds + 1).padStart(5)} s  over its budget of ${budgetSeconds} s`,
      '  all         130 s',
    ].join('\n'),
  );
  expect(timesOf([], TOTAL_BUDGET_SECONDS + 1)).toBe('Layers\n  all         721 s  over its budget of 720 s');
});
