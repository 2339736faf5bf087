import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { families } from '../conformance/cases/index.js';
import { openedAndSaved } from './support/opened-and-saved.js';
import { peerModels } from './support/peer-models.js';

const examples = readdirSync(join(repositoryRoot, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.bpmn'))
  .map((name) => [name, readFileSync(join(repositoryRoot, 'examples', name), 'utf8')] as const);

/**
 * The graphs of the processes, which run, and the problems, whose lines the modeler moves. It leaves out shapes of elements
 * that the file does not have.
 */
async function compiled(xml: string) {
  const { processes, problems } = await compile(xml);
  const kept = problems.filter(({ message }) => !message.startsWith('The diagram refers to '));
  return {
    graphs: processes.map(({ processID, sha256 }) => [processID, sha256]),
    problems: kept.map((problem) => ({
      ...problem,
      message: problem.message.replace(/^Line \d+, column \d+/, 'Line'),
    })),
  };
}

describe('a model that the modeler opens and saves', () => {
  it.each(examples)('runs as before: %s', async (_, xml) => {
    expect(await compiled(await openedAndSaved(xml))).toEqual(await compiled(xml));
  });

  it('keeps references to characters above U+FFFF and to line breaks, and line breaks in attributes as spaces', async () => {
    const xml = examples[0]![1].replace(/(<bpmn:process [^>]*)name="[^"]*"/, '$1name="&#x1F600;\r\na&#10;b"');
    const saved = await openedAndSaved(xml);
    expect(saved).toMatch(/name="😀 a&#(?:10|xA);b"/);
    expect(await compiled(saved)).toEqual(await compiled(xml));
  });

  it.each(families)('runs as before, in every case of conformance: $title', async ({ cases }) => {
    for (const { shows, files } of cases)
      for (const xml of [files].flat())
        expect(await compiled(await openedAndSaved(xml)), shows).toEqual(await compiled(xml));
  });
});

/** `npm run round-trip` takes all models of other modelers, `ROUND_TRIP_MODELS=/models npm run round-trip` those of a folder. */
const chosen = process.env['ROUND_TRIP_MODELS'];

function modelsBelow(path: string): string[] {
  const folder = resolve(repositoryRoot, path);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.bpmn(20\.xml)?$/.test(name))
    .map((name) => join(folder, name));
}

/** @returns why the file is not one that a host takes and the modeler opens; undefined if it is the same after it was saved */
async function refusalOf(path: string): Promise<string | undefined> {
  const xml = decodeFile(readFileSync(path), path);
  const before = await compiled(xml);
  const unreadable = before.problems.find(({ severity, elementID }) => severity === 'error' && elementID === undefined);
  if (unreadable) return unreadable.message;
  const saved = await openedAndSaved(xml).catch((error: unknown) => error as Error);
  if (saved instanceof Error) return saved.message;
  expect(await compiled(saved)).toEqual(before);
  return undefined;
}

describe.skipIf(chosen === undefined)('a model of another modeler that the modeler opens and saves', () => {
  it('runs as before, or is refused when it is opened', { timeout: 1_800_000 }, async () => {
    const paths = chosen === 'peers' ? await peerModels(Infinity) : modelsBelow(chosen!);
    const refused: string[] = [];
    const changed: string[] = [];
    for (const path of paths)
      try {
        const refusal = await refusalOf(path);
        if (refusal !== undefined) refused.push(`${path}: ${refusal}`);
      } catch (error) {
        changed.push(`${path}: ${String(error).slice(0, 1_000)}`);
      }
    console.log([`${paths.length} models, of which these are refused: ${refused.length}`, ...refused].join('\n'));
    expect(changed).toEqual([]);
  });
});
