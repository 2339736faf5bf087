/** The scenarios of the examples, with their coverage. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { modelsIn, openBundle, readScenario, runScenario, ScenarioCoverage, testScenario } from '@perdure/testkit';

const examples = join(repositoryRoot, 'examples');
const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.scenario.json'))
  .map((file) => join(examples, file))
  .sort();
const folders = [...new Set(files.map(dirname))];

it.each(files.map((file) => [file.slice(examples.length + 1), file] as const))('%s passes', async (_, file) => {
  await testScenario(file);
});

describe('the scenarios of', () => {
  it.each(folders.map((folder) => [folder.slice(examples.length + 1), folder] as const))(
    '%s reach every node, flow, and rule of their models',
    async (_, folder) => {
      const read = (name: string) => readFileSync(join(folder, name), 'utf8');
      const bundle = await openBundle(modelsIn(folder).map((name) => ({ name, text: read(name) })));
      const coverage = new ScenarioCoverage();
      for (const file of files.filter((each) => dirname(each) === folder))
        runScenario(readScenario(readFileSync(file, 'utf8'), file), bundle, coverage);
      expect(coverage.report().files.flatMap(({ missed }) => missed)).toEqual([]);
    },
  );
});
