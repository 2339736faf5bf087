/** `perdure lint` with folders, as modelers and archives leave them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  businessRuleTask,
  callActivity,
  catchEvent,
  endEvent,
  on,
  processModel,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { decision, dmn, literal } from '../../dmn/support.js';
import { runWith } from '../support/run.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'perdure-lint-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const lint = (...operands: string[]) => runWith(['lint', ...operands]);
const model = (id: string) => sequenceModel(id, [serviceTask('work')]);
const template = (id: string) => JSON.stringify({ id, name: id, appliesTo: ['bpmn:Task'], properties: [] });
const form = (id: string) => JSON.stringify({ id, components: [] });

describe('a folder', () => {
  it('means all models in it and below it, in the order of their paths', async () => {
    const paths = [
      write('Bestellung prüfen (2).BPMN', model('upper')),
      write('a/b/c/deep.bpmn', model('deep')),
      write('rates.dmn', dmn(decision('rate', literal('1')))),
      write('z.form', form('z')),
    ];
    write('order.scenario.json', '{}');
    write('README.md', '');
    write('order.bpmn~', 'not a model');
    write('._order.bpmn', 'left by macOS');
    write('.git/x.bpmn', 'not a model');
    write('node_modules/x/x.bpmn', 'not a model');
    const [upper, deep, rates, last] = paths;
    expect(await lint(folder)).toEqual({
      code: 0,
      out: [`${upper}: deploys upper`, `${deep}: deploys deep`, `${rates}: deploys model`, `${last}: deploys z`],
      errors: [],
    });
  });

  it('may have element templates, whose problems are those of the host', async () => {
    const wrong = write('mail.template.json', '{"id": "mail", "name": "Mail", "properties": []}');
    const right = write('post.template.json', template('post'));
    const { code, out } = await lint(folder);
    expect(code).toBe(1);
    expect(out).toEqual([
      expect.stringContaining('Element template "mail" needs appliesTo'),
      `${wrong}: cannot be deployed`,
      `${right}: deploys post`,
    ]);
  });

  it('with an element template in two files is refused', async () => {
    write('a.template.json', template('mail'));
    write('b.template.json', template('mail'));
    const { code, out } = await lint(folder);
    expect(code).toBe(1);
    expect(out.join('\n')).toContain('Element template "mail" is also in a.template.json. Remove one of them.');
  });

  it('may have links in circles and to files that it contains: each is checked once', async () => {
    const file = write('sub/order.bpmn', model('order'));
    symlinkSync(folder, join(folder, 'sub', 'circle'));
    symlinkSync(file, join(folder, 'twin.bpmn'));
    symlinkSync('/nowhere', join(folder, 'broken'));
    expect(await lint(folder, file)).toEqual({ code: 0, out: [`${file}: deploys order`], errors: [] });
  });

  it('with a broken link that is called like a model ends with 2 and the name of the link', async () => {
    symlinkSync('/nowhere', join(folder, 'lost.bpmn'));
    const { code, errors } = await lint(folder);
    expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringContaining(join(folder, 'lost.bpmn'))] });
  });

  it('without models is wrong usage', async () => {
    write('README.md', '');
    expect(await lint(folder)).toMatchObject({ code: 2, errors: [expect.stringContaining('no model to check')] });
  });

  it('with a file whose name is not UTF-8, as old archives have it, ends with 2 and says so', async () => {
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/Pr`), Buffer.from([0xfc]), Buffer.from('fung.bpmn')]),
      model('p'),
    );
    const { code, errors } = await lint(folder);
    expect({ code, errors }).toEqual({
      code: 2,
      errors: [expect.stringContaining('its name is not UTF-8. Rename it.')],
    });
  });
});

it('lint reads forms, with line and column of a mistake', async () => {
  const file = write('broken.form', '{\n  "id": "x",\n  "components": [1 2]\n}');
  const { code, out } = await lint(file);
  expect(code).toBe(1);
  expect(out).toEqual([
    expect.stringMatching(new RegExp(`^${file}:3:\\d+: error: The form is not valid JSON`)),
    `${file}: cannot be deployed`,
  ]);
});

it('lint reads models in the encoding that they declare', async () => {
  const text = model('gebuehr').replace('<process id="gebuehr"', '<process name="Gebühr" id="gebuehr"');
  const declared = `<?xml version="1.0" encoding="windows-1252"?>\n${text.replace(/^<\?xml.*\?>\s*/, '')}`;
  const latin = write('latin.bpmn', Buffer.from(declared, 'latin1'));
  const wide = write('wide.form', Buffer.from(`\uFEFF${form('wide')}`, 'utf16le'));
  expect(await lint(folder)).toMatchObject({ code: 0, out: [`${latin}: deploys gebuehr`, `${wide}: deploys wide`] });
});

it('lint refuses a file that is not a model by its name, but passes over scenarios', async () => {
  const [readme, scenario] = [write('README.md', ''), write('a.scenario.json', '{}')];
  const good = write('good.bpmn', model('good'));
  expect(await lint(readme, scenario, good)).toEqual({
    code: 2,
    out: [`${good}: deploys good`],
    errors: [
      `${readme} is not a model: its name must end in .bpmn, .dmn, .form, or .template.json. Rename or omit it.`,
    ],
  });
});

describe('a reference from one file to another', () => {
  const caller = sequenceModel('caller', [
    callActivity('call', 'called'),
    businessRuleTask('rate', 'price', 'x'),
    userTask('ask', { formID: 'question' }),
  ]);

  it('is found in the folder', async () => {
    write('caller.bpmn', caller);
    write('called.bpmn', model('called'));
    write('price.dmn', dmn(decision('price', literal('1'))));
    write('question.form', form('question'));
    expect((await lint(folder)).out.filter((line) => line.includes('warning'))).toEqual([]);
  });

  it('is a warning with its element if no file of the folder has it', async () => {
    const file = write('caller.bpmn', caller);
    const { code, out } = await lint(folder);
    expect(code).toBe(0);
    expect(out).toEqual([
      expect.stringMatching(/caller.bpmn:\d+:\d+: warning at call: Process "called" is in none of the files\./),
      expect.stringMatching(/caller.bpmn:\d+:\d+: warning at rate: Decision "price" is in none/),
      expect.stringMatching(/caller.bpmn:\d+:\d+: warning at ask: Form "question" is in none/),
      `${file}: deploys caller`,
    ]);
    expect((await lint(file)).out).toEqual([`${file}: deploys caller`]);
  });

  it('is not reported as missing if it is in a file with errors', async () => {
    write('caller.bpmn', caller);
    const broken = write('called.bpmn', '<definitions>');
    const { out } = await lint(folder);
    expect(out.filter((line) => line.includes('warning'))).toEqual([]);
    expect(out).toContain(`${broken}: cannot be deployed`);
  });

  it('is an error if it is bound to the deployment', async () => {
    const bound = sequenceModel('bound', [callActivity('call', 'called', { bindingType: 'deployment' })]);
    const file = write('bound.bpmn', bound);
    const { code, out } = await lint(file);
    expect(code).toBe(1);
    expect(out).toEqual([
      expect.stringContaining('error at call: Process "called" is bound to the deployment, but is not part of it.'),
      `${file}: cannot be deployed`,
    ]);
  });

  it('is an error if two files have it', async () => {
    write('a.bpmn', model('same'));
    write('sub/b.bpmn', model('same'));
    write('a.form', form('f'));
    write('b.form', form('f'));
    const { code, out } = await lint(folder);
    expect(code).toBe(1);
    expect(out.filter((line) => line.includes('error'))).toEqual([
      expect.stringMatching(/b.form:1:1: error: Form "f" is also in a.form. Remove one of them.$/),
      expect.stringMatching(/sub\/b.bpmn:1:1: error: Process same is also in a.bpmn. Remove one of them.$/),
    ]);
  });

  it('is a warning for a message that is thrown and caught nowhere, unless an expression could name it', async () => {
    const thrown = processModel(
      'thrower',
      [startEvent('start'), endEvent('end', on.message('paid'))],
      'start -> end',
      root.message('paid'),
    );
    const catching = (id: string, message: string) =>
      processModel(
        id,
        [startEvent('start'), catchEvent('wait', on.message(message)), endEvent('end')],
        'start -> wait -> end',
        root.message(message, '=id'),
      );
    write('thrower.bpmn', thrown);
    const warnings = async () => (await lint(folder)).out.filter((line) => line.includes('Message'));
    const expected = [expect.stringContaining('warning at end: Message "paid" is caught in none of the files.')];
    expect(await warnings()).toEqual(expected);
    const catcher = write('catcher.bpmn', catching('catcher', 'payed'));
    expect(await warnings()).toEqual(expected);
    writeFileSync(catcher, catching('catcher', 'paid'));
    expect(await warnings()).toEqual([]);
    writeFileSync(catcher, catching('catcher', 'payed').replace('name="payed"', 'name="=any"'));
    expect(await warnings()).toEqual([]);
  });
});
