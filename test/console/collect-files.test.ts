import { describe, expect, it } from 'vitest';
import { collect, filesOfDrop, MAX_ENTRIES } from '../../console/screens/deploy/bundle/collect.js';

type Tree = { [name: string]: Tree | string };

/** A dropped file or folder as browsers give it: the content of a folder in portions of at most 100. */
function entry(path: string, content: Tree | string): object {
  if (typeof content === 'string')
    return {
      fullPath: path,
      isDirectory: false,
      file: (found: (file: object) => void) => found({ name: path, size: content.length }),
    };
  return {
    fullPath: path,
    isDirectory: true,
    createReader() {
      const entries = Object.entries(content).map(([name, inside]) => entry(`${path}/${name}`, inside));
      return { readEntries: (found: (portion: object[]) => void) => found(entries.splice(0, 100)) };
    },
  };
}

function dropped(trees: Tree) {
  const items = Object.entries(trees).map(([name, tree]) => ({ webkitGetAsEntry: () => entry(`/${name}`, tree) }));
  return filesOfDrop({ items, files: [] } as unknown as Parameters<typeof filesOfDrop>[0]);
}

const namesIn = async (trees: Tree) => collect(await dropped(trees)).models.map(({ name }) => name);

describe('the models in dropped folders', () => {
  it('are named by their paths in the folder, in the order of their names', async () => {
    const deep = { deeper: { 'c.FORM': '', 'd.template.json': '', 'e.json': '' } };
    expect(await namesIn({ models: { 'b.bpmn': '', 'a.dmn': '', deep } })).toEqual([
      'a.dmn',
      'b.bpmn',
      'deep/deeper/c.FORM',
      'deep/deeper/d.template.json',
    ]);
  });

  it('keep the name of the folder if another one has the same file', async () => {
    expect(await namesIn({ one: { 'a.bpmn': '', 'b.bpmn': '' }, two: { 'a.bpmn': '' } })).toEqual([
      'b.bpmn',
      'one/a.bpmn',
      'two/a.bpmn',
    ]);
  });

  it('are not those of packages and hidden folders, and other files are passed over', async () => {
    const found = collect(
      await dropped({
        models: { 'a.bpmn': '', '.b.bpmn': '', 'c.txt': '', '.git': { 'd.bpmn': '' }, node_modules: { 'e.bpmn': '' } },
      }),
    );
    expect(found.models.map(({ name }) => name)).toEqual(['a.bpmn']);
    expect(found.passedOver.toSorted()).toEqual(['models/.b.bpmn', 'models/c.txt']);
  });

  it('are found beyond the first portion of a folder', async () => {
    const tree: Tree = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`${index}.txt`, '']));
    expect(await namesIn({ models: { ...tree, 'z.bpmn': '' } })).toEqual(['z.bpmn']);
  });

  it('are bounded, together with all other files', async () => {
    const tree: Tree = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}.bpmn`, '']));
    await expect(dropped({ models: tree })).rejects.toThrow(`More than ${MAX_ENTRIES.toLocaleString('en')} files`);
  });
});
