/**
 * The documents that say what proves a rule or stops an attack name tests. When a run is over, every test that they name in
 * one of its files has to have been run.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestCase, TestModule, TestProject } from 'vitest/node';
import { repositoryRoot } from '../../dev/repository.js';
import { UNPROVEN } from '../../tools/test/run.js';

/** A row of a table in a document. */
export interface Row {
  /** The rule, attack, or finding. */
  name: string;
  proofs: Proof[];
}

/** A test or a group of tests. */
export interface Proof {
  /** As the source has it, with `%s` instead of the case if there are many; the name of its group may come first. */
  title: string;
  file: string;
}

/** A test that was collected. */
export interface Collected {
  file: string;
  /** Its title, those of the groups around it, and both together. */
  titles: string[];
  wasRun: boolean;
}

/** Files whose tests need a browser or an identity provider that a machine may not have. */
const MAY_BE_SKIPPED = /^test\/(console\/|access\/providers\.test\.ts$|client\/)/;

/** The rows of all tables `| ... | proof |` of a document. */
export function rowsOf(document: string): Row[] {
  return [
    ...readFileSync(join(repositoryRoot, document), 'utf8').matchAll(/^\| [a-z]+ \| proof \|\n\|.+\n((?:\|.+\n)+)/gm),
  ]
    .flatMap(([, rows]) => rows!.trimEnd().split('\n'))
    .map((line) => {
      const [, name, proofs] = /^\| (.+?) \| (.*) \|$/.exec(line) ?? [undefined, line, ''];
      return {
        name: name!,
        proofs: [...proofs!.matchAll(/\[((?:[^\]"]|"[^"]*")+)\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, title, file]) => ({
          title: title!,
          file: file!,
        })),
      };
    });
}

export const rules = rowsOf('docs/rules.md');
export const attacks = rowsOf('docs/security.md');
export const findings = rowsOf('docs/reliability.md');

/** The named tests of the files that were run that do not exist or were skipped. */
export function unproven(rows: readonly Row[], collected: readonly Collected[]): string[] {
  const files = new Set(collected.map(({ file }) => file));
  return rows.flatMap(({ name, proofs }) =>
    proofs
      .filter(({ file }) => files.has(file))
      .flatMap(({ title, file }) => {
        const found = collected.filter(
          (test) => test.file === file && test.titles.some((own) => patternOf(title).test(own)),
        );
        if (found.length === 0) return [`${name}: ${file} has no test "${title}"`];
        return found.some(({ wasRun }) => wasRun) || MAY_BE_SKIPPED.test(file)
          ? []
          : [`${name}: "${title}" in ${file} was not run`];
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
    // A run of some tests by name does not run the others.
    if (vitest.config.testNamePattern) return;
    // Each layer looks at its own files.
    const modules = vitest.state.getTestModules().filter((module) => module.project === project);
    const collected = modules.flatMap(testsOf);
    const missing = unproven([...rules, ...attacks, ...findings], collected);
    if (missing.length === 0) return;
    // Vitest does not end when a teardown throws.
    console.error(
      `\ndocs/rules.md, docs/security.md, and docs/reliability.md name tests that this run has not proven. Correct the document or the test:\n${missing.join('\n')}`,
    );
    process.exitCode = UNPROVEN;
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

/** The title of a test, those of its groups, and the title after those of one or more groups. */
function titlesOf(test: TestCase): string[] {
  const titles = [test.name];
  let whole = test.name;
  for (let { parent } = test as { parent: TestCase['parent'] }; parent.type === 'suite'; { parent } = parent) {
    whole = `${parent.name} ${whole}`;
    titles.push(parent.name, whole);
  }
  return titles;
}
