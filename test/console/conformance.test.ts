/** The engine in a page: every conformance case has the same facts in Chromium as in Node.js. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { factsOfAllCases } from '../conformance/facts.js';
import { bundleForBrowsers } from '../support/browser-bundle.js';
import { browserOfProcess, reasonToSkip } from './support/browser.js';

const source = JSON.stringify(join(repositoryRoot, 'test/conformance/facts.ts'));
/** The bundler takes seconds of CPU time, and tests share two cores. */
const BUNDLING_MS = 120_000;
const entry = `import { factsOfAllCases } from ${source}; globalThis.factsOfAllCases = factsOfAllCases;`;

it.skipIf(reasonToSkip !== undefined)(
  'all conformance cases have the same facts in Chromium',
  async () => {
    const script = await bundleForBrowsers(entry);
    const page = await (await browserOfProcess()).newPage();
    try {
      await page.addScriptTag({ content: script });
      const inPage = await page.evaluate('factsOfAllCases()');
      const here = await factsOfAllCases();
      expect(Object.keys(here).length).toBeGreaterThan(200);
      expect(inPage).toEqual(here);
    } finally {
      await page.close();
    }
  },
  BUNDLING_MS,
);
