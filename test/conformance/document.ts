/** The BPMN part of docs/conformance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/repository.js';
import type { ConformanceCase, Family } from './case.js';

/** Where a case has passed. */
export interface Passed {
  memory: boolean;
  temporal: boolean;
}

const BEGIN = '<!-- bpmn begin -->';
const END = '<!-- bpmn end -->';
const path = join(repositoryRoot, 'docs', 'conformance.md');

export function render(families: readonly Family[], passed: (given: ConformanceCase) => Passed): string {
  const count = families.reduce((sum, { cases }) => sum + cases.length, 0);
  return [BEGIN, `${count} cases:`, ...families.map((family) => renderFamily(family, passed)), END].join('\n\n');
}

function renderFamily({ title, file, cases }: Family, passed: (given: ConformanceCase) => Passed): string {
  const rows = cases.map((given) => {
    const { memory, temporal } = passed(given);
    return `| ${given.shows.replaceAll('|', '\\|')} | ${given.section} | ${yesOrNo(memory)} | ${yesOrNo(temporal)} |`;
  });
  return [
    `### ${title}`,
    '',
    `[${file}](../test/conformance/cases/${file})`,
    '',
    '| case | BPMN 2.0.2 | engine | Temporal |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function yesOrNo(passed: boolean): string {
  return passed ? 'yes' : '**no**';
}

/** The text between the markers of the document, including them. */
export function readSection(): string {
  const { text, from, to } = readDocument();
  return text.slice(from, to);
}

export function writeSection(section: string): void {
  const { text, from, to } = readDocument();
  writeFileSync(path, text.slice(0, from) + section + text.slice(to));
}

function readDocument(): { text: string; from: number; to: number } {
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${path} has no lines ${BEGIN} and ${END} to write between`);
  return { text, from, to: to + END.length };
}
