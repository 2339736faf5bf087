/** `npm run docs`: a site of static pages in which no link is dead. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressOf, documentsOf } from '../../tools/docs/documents.mjs';
import { indexOptions, searchOptions } from '../../tools/docs/search/options.mjs';
import { sectionsOf } from '../../tools/docs/search/sections.mjs';
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
  [...textOf(page).matchAll(/<(?:a|img|script|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g)]
    .map(([, link]) => link!.replaceAll('&amp;', '&'))
    .filter((link) => !/^(https?|mailto):/.test(link));

it('the documentation site has one page per document, titled after it', () => {
  expect(pages.toSorted()).toEqual(documentsOf().map(addressOf).toSorted());
  expect(textOf('docs/rules.html')).toMatch(/<title>[^<]+ · Perdure<\/title>/);
});

/** Whether a link of a page leads to a file, and to a heading that the file has. */
function isAlive(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#').map(decodeURIComponent) as [string, string?];
  const file = path === '' ? page : resolve('/', dirname(page), path).slice(1);
  if (!existsSync(join(site, file)) || !statSync(join(site, file)).isFile()) return false;
  return anchor === undefined || !file.endsWith('.html') || idsOf(file).has(anchor);
}

const known = new Map<string, ReadonlySet<string>>();
function idsOf(page: string): ReadonlySet<string> {
  const ids = known.get(page) ?? new Set([...textOf(page).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!));
  known.set(page, ids);
  return ids;
}

it('leads from every link to a file, and to a heading that the file has', () => {
  const dead = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !isAlive(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

describe('the search of the site', () => {
  let index: MiniSearch;
  beforeAll(() => {
    const window: { searchIndexOfSite?: never } = {};
    runInNewContext(textOf('search-index.js'), window);
    index = MiniSearch.loadJS(window.searchIndexOfSite!, indexOptions);
  });
  const find = (words: string) => index.search(words, searchOptions).map(({ address }) => address as string);

  it('leads from every result to a page, or to a heading that the page has', () => {
    const addresses = pages.flatMap((page) => sectionsOf(textOf(page), page).map(({ address }) => address));
    expect(index.documentCount).toBe(addresses.length);
    expect(addresses.length).toBeGreaterThan(pages.length);
    expect(addresses.filter((address) => !isAlive('index.html', address))).toEqual([]);
    expect(find('retention').filter((address) => !addresses.includes(address))).toEqual([]);
  });

  it.each([
    ['limit jobs', 'docs/how-to/limit-jobs.html'],
    ['AUDIT_RETENTION_MINIMUM', 'docs/configuration.html'],
    ['retenti', 'docs/retention.html'],
    ['supension', 'docs/suspension.html'],
  ])('finds %s in %s, also before the word is whole, or with a typing error', (words, page) => {
    const found = find(words).slice(0, 20);
    expect(found.map((address) => address.split('#')[0])).toContain(page);
  });

  it('finds no section that lacks one of the words', () => {
    expect(find('retention xylophone')).toEqual([]);
  });

  it('takes nothing from another host', () => {
    for (const page of pages)
      for (const [tag] of textOf(page).matchAll(/<(?:script|link|img|source)\b[^>]*>/g))
        expect(tag, page).not.toMatch(/(?:src|href|srcset)="(?:[a-z]+:)?\/\//);
    expect(textOf('search.js')).not.toMatch(/https?:\/\//);
  });

  it('loads less than 8 kB with a page, and less than 300 kB when it is used, compressed', () => {
    const compressed = (file: string) => gzipSync(textOf(file)).length;
    expect(compressed('search.js')).toBeLessThan(8_000);
    expect(compressed('search-index.js')).toBeLessThan(300_000);
  });
});

it('keeps braces and code of documents as they are', () => {
  expect(textOf('docs/how-to/call-a-service-over-http.html')).toContain('{{secrets.');
});
