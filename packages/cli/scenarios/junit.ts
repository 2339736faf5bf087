/** Results in the XML format of JUnit, which CI systems read. */
import { describeFailure } from '@perdure/testkit';
import { replaceIllegal } from '@perdure/xml/characters.js';
import type { TestedScenario } from './run.js';

export function junitReport(scenarios: readonly TestedScenario[]): string {
  const failures = scenarios.filter(({ failure }) => failure).length;
  const skipped = scenarios.filter((scenario) => scenario.skipped !== undefined).length;
  const counts = `tests="${scenarios.length}" failures="${failures}" skipped="${skipped}" time="${seconds(scenarios)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="perdure test" ${counts}>`,
    `  <testsuite name="scenarios" ${counts}>`,
    ...scenarios.flatMap(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ file, name, failure, skipped, milliseconds }: TestedScenario): string[] {
  const head = `    <testcase classname="${escape(file)}" name="${escape(name)}" file="${escape(file)}" time="${milliseconds / 1000}"`;
  if (skipped !== undefined) return [`${head}>`, `      <skipped message="${escape(skipped)}"/>`, '    </testcase>'];
  if (!failure) return [`${head}/>`];
  const text = [...describeFailure(failure), failure.state].join('\n');
  return [
    `${head}>`,
    `      <failure message="${escape(describeFailure(failure)[0]!)}">${escape(text)}</failure>`,
    '    </testcase>',
  ];
}

function seconds(scenarios: readonly TestedScenario[]): number {
  return scenarios.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
}

const ENTITIES: { readonly [character: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Line ends are references, because parsers change those of attributes. */
function escape(text: string): string {
  return replaceIllegal(text).replace(/[<>&"\r\n]/g, (character) => ENTITIES[character]!);
}
