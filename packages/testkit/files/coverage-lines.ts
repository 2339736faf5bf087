/** Coverage over the processes of a test run, in files. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitCoverage, type CoveredElement, type CoverageLine, type FileCoverage } from '../coverage.js';

/**
 * Test files run in separate processes. If a reporter requests it, each process appends lines to a file in its folder:
 * the elements of a BPMN file, and those reached for the first time.
 */
export const COVERAGE_FOLDER = 'PERDURE_COVERAGE_FOLDER';

export function writeCoverage(line: CoverageLine): void {
  const folder = process.env[COVERAGE_FOLDER];
  if (folder) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
}

/** Combined coverage of all test files, by the name of the BPMN file. */
export function readCoverage(folder: string): FileCoverage[] {
  const files = new Map<string, { elements: CoveredElement[]; reached: Set<string> }>();
  for (const line of readdirSync(folder).flatMap((name) => linesOf(join(folder, name)))) {
    const known = files.get(line.file) ?? { elements: [], reached: new Set() };
    files.set(line.file, known);
    if ('elements' in line) known.elements = line.elements;
    else for (const id of line.reached) known.reached.add(id);
  }
  return [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, { elements, reached }]) => splitCoverage(file, elements, reached));
}

function linesOf(path: string): CoverageLine[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CoverageLine);
}
