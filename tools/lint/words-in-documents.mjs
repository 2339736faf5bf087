/**
 * Checks Markdown files and the comments of YAML, environment, and lint files against the word list; the rest of `npm run
 * lint` reads TypeScript. Prints one line per word and exits with 1 if there are any.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWord, finished, isFinished, wordsIn } from './word-list.mjs';

/**
 * The texts of a document with the line each begins on.
 *
 * @param {string} path
 * @param {string} content
 * @returns {{ line: number, text: string, source: string }[]}
 */
export function textsOf(path, content) {
  return paragraphs(
    path.endsWith('.md') ? withoutCode(content) : commentsOf(content, path.endsWith('.json') ? '//' : '#'),
  );
}

function isDocument(path) {
  return /\.(md|ya?ml|env)$|(^|\/)\.oxlintrc\.json$/.test(path);
}

/** @param {'#' | '//'} mark at the beginning of a comment */
function commentsOf(content, mark) {
  return content.replaceAll(new RegExp(`^(?! *${mark}).*$`, 'gm'), '').replaceAll(new RegExp(`^ *${mark} ?`, 'gm'), '');
}

/**
 * Removes code and link targets, which keep their names. Keeps the number of lines, so that findings name the right
 * one.
 */
function withoutCode(content) {
  return content
    .replaceAll(/^( *)(`{3,}|~{3,})[^]*?^ *\2.*$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(`+)[^`]+?\1/g, 'code')
    .replaceAll(/\]\([^()\s]+\)/g, ']()')
    .replaceAll(/<!--(?! prose-ok)[^]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''));
}

/** Paragraphs, headings, list items, and table cells. */
function paragraphs(content) {
  const texts = [];
  let open;
  for (const [index, line] of content.split('\n').entries()) {
    const begins = line.trim() === '' || /^\s*([-*#|]|\d+\.)/.test(line);
    if (begins || open === undefined) {
      for (const cell of cellsOf(line)) texts.push((open = { line: index + 1, text: cell, source: line }));
    } else {
      open.text += ` ${line}`;
      open.source += `\n${line}`;
    }
    if (line.trim() === '') open = undefined;
  }
  return texts.filter(({ text }) => text.trim() !== '');
}

function cellsOf(line) {
  const cells = /^\s*\|/.test(line) ? line.split('|').slice(1, -1) : [line];
  return cells.map((cell) => cell.replace(/^\s*([-*#]+|\d+\.)\s+/, ''));
}

/** @returns {string[]} one line for each word to replace */
export function complaintsAbout(path, content) {
  return textsOf(path, content).flatMap(({ line, text, source }) =>
    wordsIn(text, source).map((finding) => `${path}:${line}: ${describeWord(finding)}`),
  );
}

/** @returns {string[]} one line for each word to replace in the finished folders of a repository */
export function complaintsIn(root) {
  const files = finished.flatMap((path) =>
    statSync(join(root, path)).isDirectory() ? filesBelow(root, path) : [path],
  );
  return files
    .filter((path) => isDocument(path) && isFinished(path))
    .flatMap((path) => complaintsAbout(path, readFileSync(join(root, path), 'utf8')));
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const complaints = complaintsIn(join(fileURLToPath(import.meta.url), '..', '..', '..'));
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
