import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { families } from '../conformance/cases/index.js';
import { openedAndSaved } from './support/opened-and-saved.js';

const examples = readdirSync(join(repositoryRoot, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.bpmn'))
  .map((name) => [name, readFileSync(join(repositoryRoot, 'examples', name), 'utf8')] as const);

/** The graphs of the processes, which run, and the problems. */
async function compiled(xml: string) {
  const { processes, problems } = await compile(xml);
  return { graphs: processes.map(({ processID, sha256 }) => [processID, sha256]), problems };
}

describe('a model that the modeler opens and saves', () => {
  it.each(examples)('runs as before: %s', async (_, xml) => {
    expect(await compiled(await openedAndSaved(xml))).toEqual(await compiled(xml));
  });

  it.each(families)('runs as before, in every case of conformance: $title', async ({ cases }) => {
    for (const { shows, files } of cases)
      for (const xml of [files].flat())
        expect(await compiled(await openedAndSaved(xml)), shows).toEqual(await compiled(xml));
  });
});
