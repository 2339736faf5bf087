import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { describeCoverage } from '@perdure/testkit/coverage-reporter';
import { sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'perdure-coverage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the reporter adds up what the files of a test run have reached', async () => {
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'order.bpmn'),
    sequenceModel('order', [serviceTask('reserve'), userTask('approve')]).replace(
      'userTask id="approve"',
      'userTask id="approve" name="Approve it"',
    ),
  );
  const test = (what: string) => `import { it } from 'vitest';
    import { testProcess } from ${JSON.stringify(join(repositoryRoot, 'packages', 'testkit', 'index.ts'))};
    it('a test', async () => { const instance = (await testProcess('order.bpmn')).start(); ${what} });`;
  writeFileSync(join(folder, 'one.test.ts'), test(''));
  writeFileSync(join(folder, 'two.test.ts'), test("instance.job('reserve').complete();"));
  // As in this repository, packages are read from their sources: they are not built for tests.
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { packageSources } from ${JSON.stringify(join(repositoryRoot, 'tools', 'packages', 'sources.js'))};
    export default { resolve: { alias: packageSources } };`,
  );
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = join(repositoryRoot, 'packages', 'testkit', 'coverage-reporter.ts');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder, '--reporter', reporter], {
    cwd: folder,
  });
  expect(stdout).toContain(
    ['Processes covered', '  order.bpmn: 5 of 7 elements, 71 %', '    never reached: end, f2'].join('\n'),
  );
}, 60_000);

it('names elements as people know them, and says when nothing is missing', () => {
  const [a, b] = [{ id: 'a', name: 'Ask' }, { id: 'b' }];
  expect(
    describeCoverage([
      { file: 'x.bpmn', covered: [a, b], missed: [] },
      { file: 'y.bpmn', covered: [a], missed: [a, b] },
    ]),
  ).toBe(
    '\nProcesses covered\n  x.bpmn: 2 of 2 elements, 100 %\n  y.bpmn: 1 of 3 elements, 33 %\n    never reached: a "Ask", b\n',
  );
});
