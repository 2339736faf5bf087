/**
 * Prints, after a test run, which elements of each BPMN file it has reached. For vitest: `reporters: ['default',
 * '@perdure/testkit/coverage-reporter']`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoveredElement, FileCoverage } from './coverage.js';
import { COVERAGE_FOLDER, readCoverage } from './files/coverage-lines.js';

export default class CoverageReporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'perdure-coverage-'));

  /** The test processes inherit the variable. */
  constructor() {
    process.env[COVERAGE_FOLDER] = this.#folder;
  }

  onTestRunEnd(): void {
    const files = readCoverage(this.#folder);
    rmSync(this.#folder, { recursive: true, force: true });
    delete process.env[COVERAGE_FOLDER];
    if (files.length > 0) process.stdout.write(describeCoverage(files));
  }
}

/** Human-readable report: one line per file, followed by the elements that were never reached. */
export function describeCoverage(files: readonly FileCoverage[]): string {
  const lines = files.flatMap(({ file, covered, missed }) => {
    const total = covered.length + missed.length;
    const share = total === 0 ? 100 : Math.floor((covered.length / total) * 100);
    const summary = `  ${file}: ${covered.length} of ${total} elements, ${share} %`;
    return missed.length === 0 ? [summary] : [summary, `    never reached: ${missed.map(nameOf).join(', ')}`];
  });
  return ['', 'Processes covered', ...lines, ''].join('\n');
}

function nameOf({ id, name }: CoveredElement): string {
  return name === undefined ? id : `${id} "${name}"`;
}
