/** Results for people. */
import { describeFailure, type CoverageReport } from '@perdure/testkit';
import { counted } from '../terminal.js';
import type { TestedScenario } from './run.js';

/** @param coverage undefined on a host, which does not measure it */
export function describeRun(scenarios: readonly TestedScenario[], coverage: CoverageReport | undefined): string[] {
  return [
    ...scenarios.flatMap(describeOne),
    `${counted(scenarios.length, 'scenario')}, ${outcomeOf(scenarios)}`,
    ...(coverage
      ? [
          `Covered: ${coverage.covered} of ${coverage.total} nodes, flows, and decision rules, ${shown(coverage.percent)} %`,
        ]
      : []),
  ];
}

function outcomeOf(scenarios: readonly TestedScenario[]): string {
  const failed = scenarios.filter(({ failure }) => failure).length;
  const skipped = scenarios.filter((scenario) => scenario.skipped !== undefined).length;
  const passed = failed === 0 && skipped === 0 ? 'all passed' : `${scenarios.length - failed - skipped} passed`;
  return [...(failed === 0 ? [passed] : [`${failed} failed`]), ...(skipped === 0 ? [] : [`${skipped} skipped`])].join(
    ', ',
  );
}

function describeOne({ file, name, failure, skipped }: TestedScenario): string[] {
  const title = name === file ? file : `${file}: ${name}`;
  if (skipped !== undefined) return [`skip  ${title}`, `      ${skipped}`];
  if (!failure) return [`pass  ${title}`];
  const details = [...describeFailure(failure), ...(failure.state === '' ? [] : failure.state.split('\n'))];
  return [`FAIL  ${title}`, ...details.flatMap((text) => text.split('\n')).map((line) => `      ${line}`)];
}

/** Rounded down, so that 100 means all. */
export function shown(percent: number): string {
  return String(Math.floor(percent * 10) / 10);
}
