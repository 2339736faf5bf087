/**
 * Adds the search to the site: an index of all sections, and the script that asks it. The index is a script too, because a
 * page that was opened from a folder may not fetch a file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { indexOptions } from './options.mjs';
import { sectionsOf } from './sections.mjs';

/**
 * @param {string} site the folder of the built site
 * @param {readonly string[]} addresses of its pages
 */
export async function addSearch(site, addresses) {
  const sections = addresses.flatMap((address) => sectionsOf(readFileSync(join(site, address), 'utf8'), address));
  const index = new MiniSearch(indexOptions);
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  writeFileSync(join(site, 'search-index.js'), `searchIndexOfSite=${JSON.stringify(index)}`);
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      lib: {
        entry: fileURLToPath(new URL('client.mjs', import.meta.url)),
        formats: ['iife'],
        name: 'searchOfSite',
        fileName: () => 'search.js',
      },
      outDir: site,
      emptyOutDir: false,
    },
  });
}
