/**
 * The checks of every screen, in light and dark colors: axe finds nothing serious, and nothing sticks out of the
 * window. `npm run screenshots` keeps a picture of each in `screenshots/`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { repositoryRoot } from '../../../dev/repository.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const isKept = process.env['PERDURE_SCREENSHOTS'] === '1';
const folder = join(repositoryRoot, 'screenshots');

/** Until the colors have changed everywhere. */
const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** By how much the page, or the part of it that scrolls, is wider than what shows it. */
const overhang =
  '[document.documentElement, document.querySelector("main")].reduce((most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth), 0)';

/** Without `preload`, axe does not fetch the style sheets again, which no rule here needs. */
const common = { resultTypes: ['violations'], preload: false };

/** Dark colors change nothing but colors. Rules about anything else would find the same again. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];
const axeOptions = {
  light: common,
  dark: { ...common, runOnly: { type: 'rule', values: rulesOfColors } },
} as const;
type ColorScheme = keyof typeof axeOptions;

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** @param name of the screen and of its two pictures, in words joined by hyphens */
export async function checkScreen(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(nextFrame);
    expect(await seriousViolations(page, colorScheme), `findings of axe on ${name}, ${colorScheme}`).toEqual([]);
    expect(await page.evaluate(overhang), `how far ${name} sticks out of the window`).toBe(0);
    if (isKept) await keepPicture(page, `${name}-${colorScheme}.png`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** The page's own policy lets no foreign script in, so axe comes by the debugger. */
async function seriousViolations(page: Page, colorScheme: ColorScheme): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axeSource);
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(axeOptions[colorScheme])}).then(({ violations }) => violations)`,
  )) as Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help} at ${nodes
          .slice(0, 3)
          .map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
          .join(', ')}`,
    );
}

async function keepPicture(page: Page, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, file) });
}
