import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../packages/cli/run.js';
import { repositoryRoot } from '../../dev/repository.js';
import { around } from '../convert/models.js';

const folder = mkdtempSync(join(tmpdir(), 'perdure-convert-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const whole = around('<serviceTask id="a" camunda:class="org.acme.Pay" camunda:resultVariable="receipt"/>');

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function convert(...words: string[]) {
  const [out, errors]: string[][] = [[], []];
  const code = await run(['convert', ...words], {
    environment: {},
    folder,
    write: (line) => void out!.push(line),
    complain: (line) => void errors!.push(line),
    signal: new AbortController().signal,
  });
  return { code, out: out!, errors: errors! };
}

test('perdure convert reports what it would convert, and writes nothing', async () => {
  const file = write('pay.bpmn', whole);
  expect(await convert(file)).toEqual({
    code: 0,
    errors: [],
    out: [
      `${file}:7: converted at a: A job worker for the type "pay" performs it instead of "org.acme.Pay". It sets the variable receipt.`,
      `${file}: can be deployed; 0 to review, 0 without an equivalent, 1 job type`,
    ],
  });
  expect(readFileSync(file, 'utf8')).toBe(whole);
});

test('perdure convert ends with 1 when something has no equivalent, and 2 when a file cannot be read; the others are converted', async () => {
  const partly = write('partly.bpmn', around('<userTask id="a" camunda:skipExpression="${x}"/>'));
  expect((await convert(partly)).code).toBe(1);
  const broken = write('broken.bpmn', '<a><b></a>');
  const { code, out, errors } = await convert(broken, join(folder, 'missing.bpmn'), partly, '--json');
  expect(code).toBe(2);
  expect(errors).toEqual([
    expect.stringContaining('broken.bpmn: The file is not well-formed XML'),
    expect.stringContaining('Cannot read'),
  ]);
  expect(JSON.parse(out[0]!)).toMatchObject([{ file: partly, canBeDeployed: false, written: [], jobTypes: [] }]);
});

test('perdure convert refuses --workers without --out, and two files of one name', async () => {
  const file = write('one.bpmn', whole);
  expect(await convert(file, '--workers')).toMatchObject({ code: 2, errors: [expect.stringContaining('--out')] });
  expect(await convert(file, join('other', 'one.bpmn'))).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('Two files are called one.bpmn')],
  });
});

test('perdure convert writes job workers whose test passes', { timeout: 60_000 }, async () => {
  const out = join(folder, 'out');
  const model = around(
    '<serviceTask id="a" camunda:class="org.acme.Pay" camunda:resultVariable="receipt"><documentation>*/</documentation></serviceTask>',
  );
  expect((await convert(write('order.bpmn', model), '--out', out, '--workers')).code).toBe(0);
  expect(readdirSync(out).sort()).toEqual(['order.bpmn', 'order.test.ts', 'order.workers.ts']);
  expect(readFileSync(join(out, 'order.workers.ts'), 'utf8')).toContain('return { "receipt": null };');
  symlinkSync(join(repositoryRoot, 'node_modules'), join(out, 'node_modules'));
  writeFileSync(
    join(out, 'vitest.config.ts'),
    `import { packageSources } from ${JSON.stringify(join(repositoryRoot, 'tools', 'packages', 'sources.js'))};
    export default { resolve: { alias: packageSources } };`,
  );
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'run', '--root', out], { cwd: out });
  expect(stdout).toMatch(/1 passed/);
});
