/** The report of `perdure test --coverage`, as a browser shows it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { runWith } from '../cli/support/run.js';
import { browserOfProcess, reasonToSkip } from './support/browser.js';

const example = join(repositoryRoot, 'examples/order-fulfilment');
const labels = `[...document.querySelectorAll('.djs-visual > text')].map((label) =>
  [...label.querySelectorAll('tspan')].map(({ textContent }) => textContent).join(' ').trim().split(/\\s+/).join(' '))`;

it.skipIf(reasonToSkip !== undefined)(
  'the report of the example draws its diagrams without a broken word',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perdure-report-'));
    const page = await (await browserOfProcess()).newPage();
    try {
      expect((await runWith(['test', example, '--coverage', folder], {}, folder)).code).toBe(0);
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      await page.locator('.covered').first().waitFor();
      await expect
        .poll(() => page.evaluate<string[]>(labels))
        .toEqual(
          expect.arrayContaining(['Payment due', 'Card declined', 'Paid', 'Payment declined', 'no', 'Large order?']),
        );
      expect(await page.locator('.missed').count()).toBe(0);
    } finally {
      await page.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
