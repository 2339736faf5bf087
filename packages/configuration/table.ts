/** The tables of the documentation, in Markdown. */
import type { Section, Variable } from './variable.js';

/** All sections, one heading and one table each. */
export function describeSections(sections: readonly Section[]): string {
  return sections.map(describeSection).join('\n');
}

function describeSection({ title, variables }: Section): string {
  const lines = Object.entries(variables).map(([name, declared]) => describeVariable(name, declared));
  return [
    `## ${title}`,
    '',
    '| variable | default | value | roles | meaning |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function describeVariable(name: string, declared: Variable<unknown>): string {
  const cells = [
    `\`${name}\``,
    describeDefault(declared),
    `${declared.kind.expected}${declared.isSecret ? ' (secret)' : ''}`,
    declared.roles?.map((role) => `\`${role}\``).join(', ') ?? 'all',
    declared.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function describeDefault({ default: value, defaultInWords, isRequired }: Variable<unknown>): string {
  const words = [isRequired && 'required', value !== undefined && `\`${value}\``, defaultInWords].filter(Boolean);
  return words.join('; ') || 'none';
}
