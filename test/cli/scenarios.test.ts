/** The command `perdure test`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../packages/cli/run.js';
import { runWith } from './support/run.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ship = { completeJob: { node: 'ship' } };

function write(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isText ? content : JSON.stringify(content));
}

function scenario(name: string, more: object = {}) {
  return { name, process: 'order', start: {}, steps: [ship], expect: { status: 'COMPLETED' }, ...more };
}

async function test(...words: string[]) {
  const { code, out, errors } = await runWith(['test', ...words], {}, folder);
  const short = (line: string) => line.replaceAll(folder, '.');
  return { code, out: out.map(short), complaints: errors.map(short) };
}

it('runs the scenarios of a folder and below, each with the models of its folder', async () => {
  write('order.bpmn', sequenceModel('order', [serviceTask('ship')]));
  write('a.scenario.json', scenario('is shipped'));
  write('below/order.bpmn', sequenceModel('order', [serviceTask('ship'), serviceTask('bill')]));
  write('below/a.scenario.json', scenario('is shipped', { steps: [ship, { completeJob: { node: 'bill' } }] }));
  write('.hidden/b.scenario.json', 'not read');
  write('node_modules/b.scenario.json', 'not read');
  const { code, out } = await test(folder);
  expect(out).toEqual([
    'pass  ./a.scenario.json: is shipped',
    'pass  ./below/a.scenario.json: is shipped',
    '2 scenarios, all passed',
    'Covered: 12 of 12 nodes, flows, and decision rules, 100 %',
  ]);
  expect(code).toBe(0);
});

it('fails with a table of differences, and runs the others, invalid ones included', async () => {
  write('order.bpmn', sequenceModel('order', [serviceTask('ship')]));
  write('a.scenario.json', scenario('is shipped twice', { steps: [], expect: { status: 'COMPLETED', active: [] } }));
  write('b.scenario.json', '{"name": "no process"}');
  write('c.scenario.json', scenario('has no model', { files: ['no.bpmn'] }));
  write('d.scenario.json', Buffer.from('\uFEFF' + JSON.stringify(scenario('is shipped')), 'utf16le'));
  const { code, out } = await test(folder);
  expect(code).toBe(1);
  expect(out.slice(0, 4)).toEqual([
    'FAIL  ./a.scenario.json: is shipped twice',
    '      expect: the process is not as expected',
    '                expected   found',
    '        status  COMPLETED  RUNNING',
  ]);
  expect(out).toContain('        active  none       ship');
  expect(out).toContain('        the file: "process" is missing');
  expect(out.find((line) => line.includes('Cannot read ./no.bpmn'))).toBeDefined();
  expect(out.slice(-3)).toEqual([
    'pass  ./d.scenario.json: is shipped',
    '4 scenarios, 3 failed',
    'Covered: 5 of 5 nodes, flows, and decision rules, 100 %',
  ]);
});

it('finds nothing with exit code 2', async () => {
  expect(await test(folder)).toMatchObject({ code: 2, complaints: [expect.stringContaining('There is no scenario')] });
  expect((await test(join(folder, 'missing'))).code).toBe(2);
});

it('reports two scenarios of one name by their files, in JUnit and JSON', async () => {
  write('order.bpmn', sequenceModel('order', [serviceTask('ship')]));
  write('a.scenario.json', scenario('<same> & "name"'));
  write('b.scenario.json', scenario('<same> & "name"', { steps: [] }));
  const { code, out } = await test(folder, '--junit', join(folder, 'results/junit.xml'), '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out.join(''))).toMatchObject({
    scenarios: [
      { file: './a.scenario.json', name: '<same> & "name"', steps: 1 },
      { file: './b.scenario.json', failure: { at: 'expect' } },
    ],
    coverage: { covered: 5, total: 5, percent: 100 },
  });
  const xml = readFileSync(join(folder, 'results/junit.xml'), 'utf8');
  expect(xml).toContain('<testsuite name="scenarios" tests="2" failures="1"');
  expect(xml.match(/name="&lt;same&gt; &amp; &quot;name&quot;"/g)).toHaveLength(2);
  expect(xml).toContain('<failure message="expect: the process is not as expected">');
});

it('writes coverage as JSON, and as one HTML file with the diagrams or a list', async () => {
  const drawing =
    '<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" id="d"><bpmndi:BPMNPlane id="p" bpmnElement="order"/></bpmndi:BPMNDiagram>';
  const drawn = sequenceModel('order', [serviceTask('ship')]).replace('id="ship"', 'id="ship" name="Ship &#128230;"');
  write('order.bpmn', drawn.replace(/(<\/[^>]*definitions>)/, `${drawing}<!-- </script> -->$1`));
  write('other.bpmn', sequenceModel('other', [serviceTask('work')]));
  write('a.scenario.json', scenario('is <shipped>'));
  const { code, complaints } = await test(folder, '--coverage', join(folder, 'report'), '--min-coverage', '50.1');
  expect(code).toBe(1);
  expect(complaints).toEqual(['Covered are 50 %, less than --min-coverage 50.1']);
  const missed = ['start', 'work', 'end', 'f0', 'f1'];
  expect(JSON.parse(readFileSync(join(folder, 'report/coverage.json'), 'utf8'))).toEqual({
    covered: 5,
    total: 10,
    percent: 50,
    files: [
      { file: `${folder}/order.bpmn`, covered: 5, total: 5, missed: [] },
      { file: `${folder}/other.bpmn`, covered: 0, total: 5, missed: expect.arrayContaining(missed) },
    ],
  });
  const html = readFileSync(join(folder, 'report/index.html'), 'utf8');
  expect(html).toContain('is &lt;shipped&gt;');
  expect(html.match(/data-model="/g)).toHaveLength(1);
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  expect(html).not.toMatch(/<script src|<link|src="http/);
  expect(html).toContain('<code>f0</code>');
  // The parser of the viewer would read half of the character only.
  expect(html).not.toContain('&#128230;');
});

it('refuses a percentage that is none', async () => {
  expect((await test(folder, '--min-coverage', '101')).code).toBe(2);
});

it('with --watch runs again when a model changes', async () => {
  write('order.bpmn', sequenceModel('order', [serviceTask('ship')]));
  write('a.scenario.json', scenario('is shipped'));
  const watching = new AbortController();
  const seen: string[] = [];
  const ended = run(['test', folder, '--watch'], {
    environment: {},
    folder,
    write(line) {
      seen.push(line);
      if (!line.startsWith('1 scenario')) return;
      if (line.endsWith('all passed')) write('order.bpmn', sequenceModel('order', [serviceTask('bill')]));
      else watching.abort();
    },
    complain: (line) => seen.push(line),
    signal: watching.signal,
  });
  expect(await ended).toBe(0);
  expect(seen).toEqual(expect.arrayContaining(['1 scenario, all passed', '1 scenario, 1 failed']));
});
