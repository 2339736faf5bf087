/** The documents of the repository, and their places in the site. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Folders with documents. Those directly in the root belong to the site too. */
export const folders = ['docs', 'examples', 'console', 'packages', 'hot-instances'];

/** Paths of all documents, sorted. */
export function documentsOf() {
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...readdirSync(root), ...below]
    .filter((path) => path.endsWith('.md') && !/node_modules|dist\//.test(path))
    .toSorted();
}

/** Where a document is in the site. */
export function addressOf(path) {
  return path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
}
