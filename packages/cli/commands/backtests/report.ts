/** The report of a backtest: lines for a terminal, Markdown for a comment on a pull request. */
import { table } from '../../terminal.js';
import { countOf, durationsOf, outcomes, sumsOf, wordsOf, type Backtest } from './shared.js';

/** Of the groups of a comment; the console has all. */
const MAX_ROWS = 20;

export function linesOf(backtest: Backtest): string[] {
  const head = ['COUNT', 'OUTCOME', 'NODE', 'WHY', 'MEDIAN', 'EXAMPLE'];
  const groups = backtest.groups.map((group) => [
    group.count,
    group.outcome,
    group.nodeID,
    group.reason,
    durationsOf(group),
    group.examples[0],
  ]);
  return [sumsOf(backtest), ...table(head, groups)];
}

export function markdownOf(backtest: Backtest): string[] {
  const { processID, status, total, done, counts, groups } = backtest;
  const rows = groups
    .slice(0, MAX_ROWS)
    .map((group) => [
      String(group.count),
      wordsOf[countOf(group.outcome)],
      group.nodeID === undefined ? '' : code(group.nodeID),
      cell(group.reason),
      durationsOf(group),
      group.examples.slice(0, 1).map(code).join(''),
    ]);
  const more = groups.length - rows.length;
  return [
    `### Backtest of ${code(processID)}`,
    '',
    `${done === total ? total : `${done} of ${total}`} ended instances${status === 'COMPLETED' ? '' : ` (${status.toLowerCase()})`}: ` +
      `${outcomes
        .filter((name) => name === 'same' || counts[name] > 0)
        .map((name) => `**${counts[name]}** ${wordsOf[name]}`)
        .join(', ')}.`,
    ...(rows.length === 0 ? [] : ['', ...markdownTable(rows)]),
    ...(more > 0 ? ['', `And ${more} more groups.`] : []),
  ];
}

function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const head = ['Instances', 'Outcome', 'First at', 'Why', 'Median', 'Example'];
  return [head, head.map((_, index) => (index === 0 ? '---:' : '---')), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

/** Names in the model must not end the cell, or become links, mentions, or markup. */
function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|@~&]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\s+/g, ' ');
}

function code(id: string): string {
  return `<code>${cell(id)}</code>`;
}
