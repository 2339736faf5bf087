/** Results for people. */
import { describeFailure, type CoverageReport } from '@perdure/testkit';
import { counted } from '../terminal.js';
import type { TestedScenario } from './run.js';

export function describeRun(scenarios: readonly TestedScenario[], coverage: CoverageReport): string[] {
  const failed = scenarios.filter(({ failure }) => failure).length;
  return [
    ...scenarios.flatMap(describeOne),
    `${counted(scenarios.length, 'scenario')}, ${failed === 0 ? 'all passed' : `${failed} failed`}`,
    `Covered: ${coverage.covered} of ${coverage.total} nodes, flows, and decision rules, ${shown(coverage.percent)} %`,
  ];
}

function describeOne({ file, name, failure }: TestedScenario): string[] {
  const title = name === file ? file : `${file}: ${name}`;
  if (!failure) return [`pass  ${title}`];
  const details = [...describeFailure(failure), ...(failure.state === '' ? [] : failure.state.split('\n'))];
  return [`FAIL  ${title}`, ...details.flatMap((text) => text.split('\n')).map((line) => `      ${line}`)];
}

/** Rounded down, so that 100 means all. */
export function shown(percent: number): string {
  return String(Math.floor(percent * 10) / 10);
}
