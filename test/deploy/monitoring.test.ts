/** Alerts and dashboard ask for metrics that exist, and the alerts are those that the documentation explains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../dev/repository.js';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const documentation = read('docs/operations/metrics.md');
const alerts = parse(read('deploy/prometheus/alerts.yml')).groups[0].rules as {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}[];
const { panels } = JSON.parse(read('deploy/grafana/dashboards/perdure.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};

it('the alerts are those of the table', () => {
  const table = [...documentation.matchAll(/^\| ([^|]+) \| `(.+?)` \| (.+) \|$/gm)].filter(
    ([, name]) => !name?.startsWith('`'),
  );
  expect(alerts.map(({ alert, expr, annotations }) => [alert, expr, annotations.summary])).toEqual(
    table.map(([, name, expression, meaning]) => [name, expression, meaning]),
  );
});

it('nothing asks for a metric that is not documented', () => {
  const asked = [
    ...alerts.map(({ alert, expr }) => [alert, expr]),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr])),
  ];
  for (const [where, expression] of asked) {
    for (const [metric] of expression!.matchAll(/perdure_[a-z_]+/g)) {
      expect(documentation, `${where} asks for ${metric}`).toContain(
        `\`${metric.replace(/_(bucket|count|sum)$/, '')}\``,
      );
    }
  }
});

it('each alert leads to its own section of the runbook', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations.runbook).toBe(`docs/operations/runbook.md#${alert.toLowerCase().replaceAll(' ', '-')}`);
    expect(read('docs/operations/runbook.md'), alert).toContain(`\n### ${alert}\n`);
  }
});

it('the runbook leads nowhere that is not there', () => {
  const runbook = read('docs/operations/runbook.md');
  const sections = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));
  for (const [, section] of runbook.matchAll(/\]\(#([^)]+)\)/g)) expect(sections).toContain(section);
  for (const [, file] of runbook.matchAll(/\]\(([^#)]+\.md)[^)]*\)/g))
    expect(() => read(join('docs', 'operations', file!)), file).not.toThrow();
});
