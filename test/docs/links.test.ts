/** Documents lead to files and headings that exist, and comments name files that exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

const documents = ['.', 'docs', 'examples', 'console', 'packages'].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);
const topFolders = readdirSync(repositoryRoot, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const textOf = (document: string) => readFileSync(join(repositoryRoot, document), 'utf8');
const withoutFences = (text: string) => text.replaceAll(/^```.*?^```$/gms, '');

/** As GitHub makes them from headings. */
function anchorsOf(document: string): string[] {
  return [...withoutFences(textOf(document)).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(document: string): string[] {
  const links = [...withoutFences(textOf(document)).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source!,
  );
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target =
        path === '' ? document : relative(repositoryRoot, resolve(repositoryRoot, dirname(document), path));
      if (!existsSync(join(repositoryRoot, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
    });
}

/** Paths in code spans such as `store/sql/by-key.ts`, from the top folder. */
function missingFiles(document: string): string[] {
  const paths = [
    ...withoutFences(textOf(document)).matchAll(/`([\w.-]+)(\/[\w./-]+\.(?:ts|tsx|mjs|json|yml|yaml|sql|md|bpmn))`/g),
  ];
  return paths
    .filter(
      ([, folder, rest]) =>
        topFolders.includes(folder!) && folder !== 'dist' && !existsSync(join(repositoryRoot, folder + rest!)),
    )
    .map(([, folder, rest]) => folder + rest!);
}

describe.each(documents)('%s', (document) => {
  it('links to files and headings that exist', () => {
    expect(brokenLinks(document)).toEqual([]);
  });

  it('names files that exist', () => {
    expect(missingFiles(document)).toEqual([]);
  });
});

/**
 * Paths of files in the comments of sources: from the top folder, from the file itself, or the end of a path, such as
 * `sql/by-key.ts`. Migrations are not read: they stay as they are when the code that they name moves.
 */
describe('comments', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .trimEnd()
    .split('\n');
  const endings = new Set(
    files.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
  );
  const sources = files.filter(
    (path) =>
      /\.(ts|tsx|mjs|sql|ya?ml)$/.test(path) &&
      !path.startsWith('store/migrations/') &&
      existsSync(join(repositoryRoot, path)),
  );
  const comment = /\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$|^\s*(?:--|#) .*$/gm;
  const named = /(?<![\w./@$*{<-])((?:\.{1,2}\/)*(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|tsx|mjs|sql|md|ya?ml))(?![\w/])/g;

  it('name files that exist', () => {
    const missing = sources.flatMap((path) =>
      [...textOf(path).matchAll(comment)]
        .flatMap(([text]) => [...text.matchAll(named)].map(([, name]) => name!))
        .filter((name) => !endings.has(name) && !existsSync(resolve(repositoryRoot, dirname(path), name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the index of decisions', () => {
  it('lists every decision once, in order', () => {
    const decisions = readdirSync(join(repositoryRoot, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
    const listed = [...textOf('docs/adr/README.md').matchAll(/^\| \[(\d+)\]\(([^)]+)\) \|/gm)];
    expect(listed.map(([, , file]) => file)).toEqual(decisions.sort());
    expect(listed.map(([, number]) => Number(number))).toEqual(decisions.map((name) => Number(name.slice(0, 4))));
  });
});
