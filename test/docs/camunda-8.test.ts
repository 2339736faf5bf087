/** The table in docs/camunda-8.md is the one by which models are checked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  EXTENSION_ATTRIBUTES,
  EXTENSION_ELEMENTS,
  FURTHER_ELEMENTS,
  reasonOf,
  verdictOf,
  type Rule,
} from '@perdure/bpmn/check/camunda8-table.js';
import { repositoryRoot } from '../../dev/repository.js';

const page = join(repositoryRoot, 'docs/camunda-8.md');
const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/docs/camunda-8.test.ts';

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const head = (...names: string[]) => [row(...names), `|${'---|'.repeat(names.length)}`];
const shown = (rule: Rule) => [verdictOf(rule), reasonOf(rule).replaceAll('=...', '`=...`')].filter(Boolean).join(': ');

function rowsOf(elements: typeof EXTENSION_ELEMENTS): string[] {
  return Object.entries(elements).flatMap(([name, { rule, place, within, attributes = {} }]) => [
    row(`\`${name}\``, '', within ? `in \`${within}\`` : (place?.name ?? 'anywhere'), shown(rule)),
    ...Object.entries(attributes).map(([attribute, own]) => row(`\`${name}\``, `\`${attribute}\``, '', shown(own))),
  ]);
}

const table = [
  ...head('element', 'attribute', 'has a meaning at', 'verdict'),
  ...rowsOf(EXTENSION_ELEMENTS),
  '',
  '## Attributes of BPMN elements',
  '',
  ...head('attribute', 'verdict'),
  ...Object.entries(EXTENSION_ATTRIBUTES).map(([name, rule]) => row(`\`${name}\``, shown(rule))),
  '',
  "## Elements that Camunda's descriptor does not have",
  '',
  ...head('element', 'attribute', 'has a meaning at', 'verdict'),
  ...rowsOf(FURTHER_ELEMENTS),
].join('\n');

it('the page about the extensions of Camunda 8 has the table by which models are checked', () => {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = ['<!-- camunda 8 begin -->', '<!-- camunda 8 end -->'];
  const expected = `${text.slice(0, text.indexOf(begin))}${begin}\n\n${table}\n\n${text.slice(text.indexOf(end))}`;
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(page, expected);
  expect(readFileSync(page, 'utf8'), `To accept the change: ${accept}`).toBe(expected);
});
