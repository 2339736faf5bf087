/** Files that are not UTF-8: every command reads what they say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { run } from '../../packages/cli/run.js';
import { parseObject, readText } from '../../packages/cli/values.js';
import { testProcess } from '@perdure/testkit';
import { around } from '../convert/models.js';

const folder = mkdtempSync(join(tmpdir(), 'perdure-encodings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string, encoding: BufferEncoding = 'latin1'): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.from(text, encoding));
  return path;
}

const inLatin = (xml: string) => xml.replace('encoding="UTF-8"', 'encoding="windows-1252"');

const fees = `<?xml version="1.0" encoding="windows-1252"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="fees" name="Fees" namespace="urn:fees">
  <decision id="fee" name="fee"><decisionTable hitPolicy="FIRST">
    <input id="i"><inputExpression><text>kind</text></inputExpression></input><output id="o" name="r"/>
    <rule><inputEntry><text>"Mahngebühr"</text></inputEntry><outputEntry><text>25</text></outputEntry></rule>
    <rule><inputEntry><text>-</text></inputEntry><outputEntry><text>0</text></outputEntry></rule>
  </decisionTable></decision>
</definitions>`;
const model = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">
  <process id="p" name="Mahnwesen für Gebühren" isExecutable="true">
    <startEvent id="s"/><sequenceFlow id="a" sourceRef="s" targetRef="decide"/>
    <businessRuleTask id="decide"><extensionElements>
      <zeebe:calledDecision decisionId="fee" resultVariable="fee"/>
    </extensionElements></businessRuleTask>
    <sequenceFlow id="b" sourceRef="decide" targetRef="e"/><endEvent id="e"/>
  </process>
</definitions>`;

async function perdure(...words: string[]) {
  const [out, errors]: string[][] = [[], []];
  const code = await run(words, {
    environment: {},
    folder,
    write: (line) => void out!.push(line),
    complain: (line) => void errors!.push(line),
    signal: new AbortController().signal,
  });
  return { code, out: out!, errors: errors! };
}

describe('a model in windows-1252', () => {
  it('is run by the testkit as it is written', async () => {
    const decisions = write('fees.dmn', fees);
    const process = await testProcess(write('dunning.bpmn', inLatin(model)), { with: [decisions] });
    const instance = process.start({ kind: 'Mahngebühr' });
    instance.expectVariables({ fee: 25 });
  });

  it('is read by the command line with a declaration of UTF-8', async () => {
    expect(await readText(write('read.bpmn', inLatin(model)))).toBe(model);
    expect((await perdure('lint', write('fees.dmn', fees))).code).toBe(0);
  });

  it('is converted to a file that is the UTF-8 that it declares', async () => {
    const foreign = around('<userTask id="a" name="Gebühr prüfen" camunda:assignee="jürgen"/>');
    const file = write('foreign.bpmn', inLatin(foreign));
    const out = join(folder, 'converted');
    expect((await perdure('convert', file, '--out', out)).code).toBe(0);
    const written = readFileSync(join(out, 'foreign.bpmn'), 'utf8');
    expect(written).toContain('encoding="UTF-8"');
    expect(written).toContain('name="Gebühr prüfen"');
    expect(written).toContain('assignee="jürgen"');
  });

  it('in which there is nothing to convert is written as UTF-8 too', async () => {
    const out = join(folder, 'unchanged');
    await perdure('convert', write('own.bpmn', inLatin(model)), '--out', out);
    expect(readFileSync(join(out, 'own.bpmn'), 'utf8')).toBe(model);
  });
});

test('a model that is not in the encoding that it declares is refused with its name, the place and the remedy', async () => {
  const file = write('wrong.bpmn', model);
  expect(await perdure('lint', file)).toEqual({
    code: 2,
    out: [],
    errors: [
      `${file} is declared as UTF-8, but byte 0xFC at offset 217 (line 3) is invalid. Save it as UTF-8, or correct the encoding in its first line.`,
    ],
  });
  await expect(testProcess(file)).rejects.toThrow('is declared as UTF-8, but byte 0xFC');
});

test('variables come from a file of UTF-16 as well, and not from one of windows-1252', async () => {
  const utf16 = write('variables.json', '{"kind": "Mahngebühr"}', 'utf16le');
  expect(await parseObject(`@${utf16}`, '--variables')).toEqual({ kind: 'Mahngebühr' });
  const latin = write('latin.json', '{"kind": "Mahngebühr"}');
  await expect(parseObject(`@${latin}`, '--variables')).rejects.toThrow(
    `${latin} is not UTF-8: byte 0xFC at offset 17 (line 1) is invalid. Save it as UTF-8.`,
  );
});
