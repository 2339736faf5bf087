/** The structure that `docs/architecture.md` promises. */
import { describe, expect, it } from 'vitest';
import { cyclesOf } from '../../tools/structure/cycles.js';
import { figuresOf } from '../../tools/structure/figures.js';
import { crowdedFolders } from '../../tools/structure/folders.js';
import { importsOf, sourceFiles, type Import } from '../../tools/structure/imports.js';
import { roomsOfStep } from '../../tools/structure/step-walk.js';
import { roomOf } from '../../tools/structure/rooms.js';

const files = sourceFiles();

/** The files that a process loads with this one before it knows what it is to do. */
function loadedWith(file: string): string[] {
  const imports = importsOf(files).filter(({ isType }) => !isType);
  const loaded = new Set([file]);
  for (const from of loaded) for (const one of imports) if (one.from === from) loaded.add(one.to);
  return [...loaded];
}

/** The only room whose types may form circles: its closed set of elements works on the whole run. */
const CIRCULAR_TYPES = 'packages/engine';

describe('this repository', () => {
  it('has no circle of imports', () => {
    expect(cyclesOf(importsOf(files))).toEqual([]);
  });

  it('has no circle of types outside of the engine', () => {
    const circles = cyclesOf(importsOf(files), { types: true });
    expect(circles.filter((circle) => circle.some((file) => roomOf(file) !== CIRCULAR_TYPES))).toEqual([]);
  });

  it('has no folder that is too full', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  it('has imports that the survey can read', () => {
    const imports = importsOf(files);
    expect(imports).toContainEqual({
      from: 'test/dev/structure.test.ts',
      to: 'tools/structure/cycles.ts',
      isType: false,
    });
    expect(imports.length).toBeGreaterThan(files.length);
  });
});

describe('code for another purpose', () => {
  it.each([
    ['a command that calls a host', 'packages/cli/main.ts', /^packages\/(engine|bpmn|convert|testkit)\//],
    ['the help of an administration command', 'host/admin/check-upgrade.ts', /^(api|store|temporal)\//],
    ['the help of resync', 'host/admin/resync.ts', /^(api|store|temporal)\//],
    ['the help of verify', 'host/admin/verify.ts', /^(api|store|temporal)\//],
    [
      'a host of any role',
      'host/main.ts',
      /^(api\/operations|connectors\/(?!temporal\/configuration)|worker\/|workflows\/instance)/,
    ],
    ['a host with the role worker', 'host/roles/worker.ts', /^api\/operations\//],
  ])('is not loaded by %s', (_what, file, heavy) => {
    const loaded = loadedWith(file);
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((one) => heavy.test(one))).toEqual([]);
  });
});

describe('the figures', () => {
  it('count source files without tests, with their lines', () => {
    const alone = figuresOf(['tools/structure/cycles.ts']);
    expect(alone).toMatchObject({ files: 1, longLines: 0 });
    expect(alone.lines).toBeGreaterThan(20);
    expect(figuresOf(['tools/structure/cycles.ts', 'test/dev/structure.test.ts'])).toEqual(alone);
  });

  it('count the tables of the schema', () => {
    expect(figuresOf([]).tables).toBeGreaterThan(30);
  });
});

describe('the rooms that a step enters', () => {
  it('are the files of the engine with a function that it called', async () => {
    const entered = await roomsOfStep();
    expect(entered).toEqual(
      expect.arrayContaining(['packages/engine/step.ts', 'packages/engine/elements/service-task.ts']),
    );
    expect(entered).not.toContain('packages/engine/elements/user-task.ts');
  });
});

const value = (from: string, to: string): Import => ({ from, to, isType: false });

describe('circles', () => {
  it('are found with all of their files, and apart from files that only lead to them', () => {
    expect(cyclesOf([value('a', 'b'), value('b', 'c'), value('c', 'a'), value('d', 'a'), value('c', 'e')])).toEqual([
      ['a', 'b', 'c'],
    ]);
  });

  it('pass through type imports only if these count', () => {
    const imports = [value('a', 'b'), { from: 'b', to: 'a', isType: true }];
    expect(cyclesOf(imports)).toEqual([]);
    expect(cyclesOf(imports, { types: true })).toEqual([['a', 'b']]);
  });
});

describe('a folder', () => {
  const filesIn = (folder: string, count: number) => Array.from({ length: count }, (_, i) => `${folder}/${i}.ts`);

  it.each([
    ['store', 15, 0],
    ['store', 16, 1],
    ['packages/engine/elements', 40, 0],
  ])('%s with %d files is listed %d times', (folder, count, times) => {
    expect(crowdedFolders(filesIn(folder, count))).toHaveLength(times);
  });
});
