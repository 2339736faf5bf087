/**
 * Former names of metrics, exported with the same values for one release, so that dashboards and alerts can follow.
 * Remove this file with the release after 0.2.
 */
interface FormerName {
  former: string;
  current: string;
  /** Labels that have been renamed too. */
  label?: { former: string; current: string };
}

const formerNames: readonly FormerName[] = [
  {
    former: 'perdure_park_seconds',
    current: 'perdure_step_commit_seconds',
    label: { former: 'answer', current: 'result' },
  },
  { former: 'perdure_instances_adrift', current: 'perdure_instances_diverged' },
  { former: 'perdure_expired_publications_total', current: 'perdure_publications_expired_total' },
  { former: 'perdure_removed_history_total', current: 'perdure_history_removed_total' },
  { former: 'perdure_search_instances_total', current: 'perdure_search_instances_scanned_total' },
];

/** @param exposition in the Prometheus text format */
export function withFormerNames(exposition: string): string {
  const lines = exposition.split('\n');
  return [exposition, ...formerNames.map((name) => linesUnderFormerName(lines, name))].join('');
}

function linesUnderFormerName(lines: readonly string[], { former, current, label }: FormerName): string {
  const mine = new RegExp(`^(# (?:HELP|TYPE) )?${current}(?=(?:_bucket|_sum|_count)?[ {])`);
  return lines
    .filter((line) => mine.test(line))
    .map((line) =>
      line.startsWith('# HELP')
        ? `# HELP ${former} Deprecated: use ${current}.`
        : renameLabel(line.replace(mine, `$1${former}`), label),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function renameLabel(line: string, label: FormerName['label']): string {
  return label ? line.replace(new RegExp(`([{,])${label.current}="`), `$1${label.former}="`) : line;
}
