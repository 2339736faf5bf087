/** `npm run docs`: a site of static pages in which no link is dead. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addressOf, documentsOf } from '../../tools/docs/documents.mjs';
import { buildSite } from '../../tools/docs/site.mjs';

vi.setConfig({ hookTimeout: 120_000 });

let site: string;
let pages: string[];
beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'perdure-site-'));
  await buildSite(site);
  pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

const textOf = (page: string) => readFileSync(join(site, page), 'utf8');
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g)]
    .map(([, link]) => link!.replaceAll('&amp;', '&'))
    .filter((link) => !/^(https?|mailto):/.test(link));

it('the documentation site has one page per document, titled after it', () => {
  expect(pages.toSorted()).toEqual(documentsOf().map(addressOf).toSorted());
  expect(textOf('docs/rules.html')).toMatch(/<title>[^<]+ · Perdure<\/title>/);
});

it('leads from every link to a file, and to a heading that the file has', () => {
  const ids = new Map(
    pages.map((page) => [page, new Set([...textOf(page).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!))]),
  );
  const dead = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => {
        const [path = '', anchor] = link.split('#').map(decodeURIComponent) as [string, string?];
        const file = path === '' ? page : resolve('/', dirname(page), path).slice(1);
        if (!existsSync(join(site, file)) || !statSync(join(site, file)).isFile()) return true;
        return anchor !== undefined && file.endsWith('.html') && !ids.get(file)!.has(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

it('keeps braces and code of documents as they are', () => {
  expect(textOf('docs/how-to/call-a-service-over-http.html')).toContain('{{secrets.');
});
