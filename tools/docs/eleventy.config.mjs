/** How Eleventy renders the documents. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { IdAttributePlugin } from '@11ty/eleventy';
import { addressOf, documentsOf, folders, root } from './documents.mjs';
import { pageOf } from './page.mjs';

/** Braces of documents are examples, and no templates. */
export const config = { markdownTemplateEngine: false };

/** @param {import('@11ty/eleventy').UserConfig} eleventy */
export default function configure(eleventy) {
  const pages = documentsOf().map((path) => ({ path, address: addressOf(path), title: titleOf(path) }));
  // Generated folders have documents too, and .gitignore names files that belong to the site.
  eleventy.setUseGitIgnore(false);
  eleventy.ignores.add('**/node_modules/**');
  for (const entry of readdirSync(root))
    if (!folders.includes(entry) && statSync(join(root, entry)).isDirectory()) eleventy.ignores.add(`${entry}/**`);
  eleventy.ignores.add('packages/*/dist/**');
  eleventy.setTemplateFormats(['md']);
  eleventy.addPlugin(IdAttributePlugin, { slugify: anchorOf, checkDuplicates: false });
  eleventy.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        addressOf(relative('.', page.inputPath)),
  );
  eleventy.addTransform('page', function (content) {
    const path = relative('.', this.page.inputPath);
    return pageOf({ content: withLinks(content, path), path, pages });
  });
}

/** As GitHub makes them from headings, which the links in documents count on. */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Links lead to pages, and those to folders become text: a site has no lists of files. */
function withLinks(content, path) {
  return content.replaceAll(
    /<a href="(?![a-z]+:)([^"#]+)(#[^"]*)?">(.*?)<\/a>/gs,
    (link, target, anchor = '', text) => {
      const file = resolve(root, dirname(path), decodeURI(target));
      if (existsSync(file) && statSync(file).isDirectory()) return text;
      return target.endsWith('.md') ? `<a href="${addressOf(target)}${anchor}">${text}</a>` : link;
    },
  );
}

function titleOf(path) {
  return /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1].replaceAll('`', '') ?? path;
}
