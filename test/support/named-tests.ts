/**
 * The documents that say what proves a rule or stops an attack name tests. When a run is over, every test that they name in
 * one of its files has to have been run.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestCase, TestModule, TestProject } from 'vitest/node';
import { repositoryRoot } from '../../dev/repository.js';

/** A row of a document. */
export interface Row {
  number: string;
  proofs: Proof[];
}

/** A test or a group of tests. */
export interface Proof {
  /** As the source has it, with `%s` in place of the case where there are many. */
  title: string;
  file: string;
}

/** A test that was collected. */
export interface Collected {
  file: string;
  /** Its own title and those of the groups around it. */
  titles: string[];
  wasRun: boolean;
}

/** Files whose tests need a browser or an identity provider that a machine may not have. */
const MAY_BE_SKIPPED = /^test\/(console\/|access\/providers\.test\.ts$|client\/)/;

/** @param number of a row, as the document writes it */
export function rowsOf(document: string, number: RegExp): Row[] {
  return readFileSync(join(repositoryRoot, document), 'utf8')
    .split('\n')
    .map((line) => new RegExp(`^\\| (${number.source}) \\| .+ \\| (.+) \\|$`).exec(line))
    .filter((row) => row !== null)
    .map(([, name, proofs]) => ({
      number: name!,
      proofs: [...proofs!.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, title, file]) => ({
        title: title!,
        file: file!,
      })),
    }));
}

export const rules = rowsOf('docs/spec-coverage.md', /\d+\.\d+/);
export const attacks = rowsOf('docs/security.md', /[A-Z]\d+/);
export const findings = rowsOf('docs/reliability.md', /[DFP]-[A-Z]?\d+/);

/** What is wrong with the named tests of the files that were run: they are not there, or were skipped. */
export function unproven(rows: readonly Row[], collected: readonly Collected[]): string[] {
  const files = new Set(collected.map(({ file }) => file));
  return rows.flatMap(({ number, proofs }) =>
    proofs
      .filter(({ file }) => files.has(file))
      .flatMap(({ title, file }) => {
        const found = collected.filter(
          (test) => test.file === file && test.titles.some((own) => patternOf(title).test(own)),
        );
        if (found.length === 0) return [`${number}: ${file} has no test "${title}"`];
        return found.some(({ wasRun }) => wasRun) || MAY_BE_SKIPPED.test(file)
          ? []
          : [`${number}: "${title}" in ${file} was not run`];
      }),
  );
}

function patternOf(title: string): RegExp {
  const literal = title
    .split(/%[sjdifoO]|\$\{[^}]*\}|\$\w+(?:\.\w+)*/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}

/** A global set-up of vitest that only looks at what was run. */
export default function setup(project: TestProject): () => void {
  const { vitest } = project;
  return () => {
    // Who asks for some tests by name does not run the others.
    if (vitest.config.testNamePattern) return;
    // Each layer looks at its own files.
    const modules = vitest.state.getTestModules().filter((module) => module.project === project);
    const collected = modules.flatMap(testsOf);
    const missing = unproven([...rules, ...attacks, ...findings], collected);
    if (missing.length === 0) return;
    // Vitest does not end when a teardown throws.
    console.error(
      `\ndocs/spec-coverage.md, docs/security.md and docs/reliability.md name tests that this run has not proven. Correct the document or the test:\n${missing.join('\n')}`,
    );
    process.exitCode = 1;
  };
}

function testsOf(module: TestModule): Collected[] {
  const file = relative(repositoryRoot, module.moduleId);
  return [...module.children.allTests()].map((test) => ({
    file,
    titles: titlesOf(test),
    wasRun: test.result().state !== 'skipped',
  }));
}

function titlesOf(test: TestCase): string[] {
  const titles = [test.name];
  for (let { parent } = test as { parent: TestCase['parent'] }; parent.type === 'suite'; { parent } = parent)
    titles.push(parent.name);
  return titles;
}
