import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { peerModels } from './support/peer-models.js';

vi.setConfig({ testTimeout: 90_000 });

const files = [
  'examples/order-fulfilment/order-fulfilment.bpmn',
  'examples/order-fulfilment/collect-payment.bpmn',
  'examples/payment-over-http/collect-payment.bpmn',
  'test/forms/modeler-project/leave-request.bpmn',
];

/** `npm run label-proof` draws 50 models of other modelers, `LABEL_MODELS=/models npm run label-proof` those of a folder. */
const chosen = process.env['LABEL_MODELS'];
const models = chosen === undefined ? [] : chosen === 'peers' ? await peerModels(50) : modelsBelow(chosen);

function modelsBelow(path: string): string[] {
  const folder = resolve(repositoryRoot, path);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.bpmn'))
    .map((name) => join(folder, name));
}

/** Spaces, hyphens, and capitals within a name, such as that of ErrorHandlingUserTask. */
const PART_END = /\s+|(?<=-)|(?<=\p{Ll})(?=\p{Lu})/u;

interface Label {
  lines: string[];
  name: string;
  /** How far its widest line sticks out of its shape. */
  overhang: number;
}

/** The labels in the diagram, each with the name in the file. */
async function labelsOf(page: Page, xml: string): Promise<Label[]> {
  return page.evaluate(`(() => {
    const model = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
    const textOf = (one) => one?.getAttribute('name') ?? one?.getElementsByTagNameNS('*', 'text')[0]?.textContent ?? '';
    const elementOf = (id) => [...model.querySelectorAll('[id]')].find((one) => one.id === id);
    // A group shows the value of its category.
    const valueOf = (reference) => reference && elementOf(reference.replace(/^.*:/, ''))?.getAttribute('value');
    const nameOf = (id) => valueOf(elementOf(id)?.getAttribute('categoryValueRef')) ?? textOf(elementOf(id));
    return [...document.querySelectorAll('.djs-element')].flatMap((element) => {
      const text = element.querySelector(':scope > .djs-visual > text');
      const lines = [...(text?.querySelectorAll('tspan') ?? [])].filter(({ textContent }) => textContent !== '');
      if (lines.length === 0) return [];
      const room = element.querySelector(':scope > .djs-hit').getBBox().width;
      return [{
        lines: lines.map(({ textContent }) => textContent),
        name: nameOf(element.getAttribute('data-element-id').replace(/_label$/, '')),
        overhang: Math.max(...lines.map((line) => line.getBBox().width)) - room,
      }];
    });
  })()`);
}

function isCut(word: string, words: readonly string[]): boolean {
  return word.endsWith('…') && words.some((whole) => whole.startsWith(word.slice(0, -1)));
}

/** The marks that cover a line of a label, as pairs of their texts. */
const covered = `(() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const cover = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return boxes('[data-mark]').flatMap(([mark, box]) =>
    boxes('.djs-visual > text > tspan').filter(([label, line]) => label !== '' && cover(box, line)).map(([label]) => [mark, label]));
})()`;

describe.skipIf(reasonToSkip)('labels of diagrams', () => {
  const console = useConsole();

  async function draw(name: string, xml: string, buffer = Buffer.from(xml)): Promise<Page> {
    const page = await console.open('editor', '/console/projects/demo/deploy');
    await page.getByLabel('Model files').setInputFiles({ name, mimeType: 'application/xml', buffer });
    await page.getByRole('group', { name: `Diagram of ${name}` }).waitFor();
    await page.getByRole('button', { name: 'Show the whole diagram' }).waitFor();
    return page;
  }

  it.each(files)('are whole words inside their boxes in %s', async (path) => {
    const xml = readFileSync(join(repositoryRoot, path), 'utf8');
    const page = await draw('file.bpmn', xml);
    const labels = await labelsOf(page, xml);
    expect(labels).not.toEqual([]);
    for (const { lines, name, overhang } of labels) {
      expect(lines.join(' ')).toBe(name.trim().split(/\s+/).join(' '));
      expect(overhang, name).toBeLessThan(1);
    }
    expect(await page.evaluate('document.fonts.check("12px \'Arimo Variable\'")')).toBe(true);
  });

  it.skipIf(models.length === 0).each(models)('have no broken word and stay inside in %s', async (path) => {
    const file = readFileSync(path);
    const xml = decodeFile(file, path);
    const labels = await labelsOf(await draw('model.bpmn', xml, file), xml);
    for (const { lines, name, overhang } of labels) {
      // A line may end where a compound has a joint. An ellipsis ends a line, or all of the text. Each part before it is whole.
      const words = name.trim().split(PART_END);
      const shown = lines.join(' ').split(PART_END);
      const broken = shown.filter((word) => !words.includes(word) && !isCut(word, words));
      expect({ name, lines, broken }).toEqual({ name, lines, broken: [] });
      expect(overhang, name).toBeLessThan(1);
    }
    process.stdout.write(`${path}: ${labels.length} labels\n`);
  });

  it('are cut with an ellipsis where a word is longer than its shape, and never broken inside it', async () => {
    const xml = readFileSync(join(repositoryRoot, files[1]!), 'utf8').replaceAll(
      /(<bpmn:\w+Task [^>]*name=")[^"]*/g,
      `$1Check ${'x'.repeat(5_000)} now`,
    );
    const page = await draw('long.bpmn', xml);
    const cut = (await labelsOf(page, xml)).filter(({ name }) => name.startsWith('Check '));
    expect(cut).not.toEqual([]);
    for (const { lines, overhang } of cut) {
      expect(lines).toEqual(['Check', expect.stringMatching(/^x+…$/)]);
      expect(overhang).toBeLessThan(1);
    }
  });

  it('are not covered by marks', async () => {
    const xml = readFileSync(join(repositoryRoot, files[0]!), 'utf8').replaceAll(/<zeebe:taskDefinition[^>]*>/g, '');
    const page = await draw('broken.bpmn', xml);
    await page.locator('[data-mark="error"]').first().waitFor();
    expect(await page.evaluate(covered)).toEqual([]);
    await checkScreen(page, 'diagram-labels');
  });
});
