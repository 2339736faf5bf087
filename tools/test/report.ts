/** The end of a run: what failed, and how many checks and tests passed and failed. */
import type { Failure } from './run.js';
import type { SecondRun } from './second-run.js';

/** Sets the exit code of the process as well. */
export function report({ outcomes, passedAlone }: SecondRun): void {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  print('Passed alone only', passedAlone);
  print('Failures', failures);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

function print(title: string, lines: readonly Failure[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}\n${lines.map(({ line }) => `  ${line}\n`).join('')}`);
}
