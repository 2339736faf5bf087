/**
 * The documentation site: all Markdown documents of the repository as pages, at the same relative places, so links work from
 * any address and from a folder. Eleventy renders them, the search knows their sections, and files that they link to are
 * copied.
 */
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import Eleventy from '@11ty/eleventy';
import { addressOf, documentsOf, root } from './documents.mjs';
import { addSearch } from './search/build.mjs';

/** @param {string} output the folder of the site; what is in it is deleted */
export async function buildSite(output) {
  rmSync(output, { recursive: true, force: true });
  const documents = documentsOf();
  const eleventy = new Eleventy(root, output, { quietMode: true, configPath: 'tools/docs/eleventy.config.mjs' });
  await eleventy.write();
  await addSearch(output, documents.map(addressOf));
  for (const file of linkedFiles(documents)) cpSync(join(root, file), join(output, file));
}

/** Other files that documents link to or show, relative to the repository. */
function linkedFiles(documents) {
  const found = new Set();
  for (const path of documents) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, link, source] of text.matchAll(/\]\((?![a-z]+:)([^)\s#]+)[^)\s]*\)|(?:src|srcset)="([^"]+)"/g)) {
      const file = relative(root, resolve(root, dirname(path), link ?? source));
      const isFile = existsSync(join(root, file)) && statSync(join(root, file)).isFile();
      if (isFile && !file.endsWith('.md') && !file.startsWith('..')) found.add(file);
    }
  }
  return found;
}
