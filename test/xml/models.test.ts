/** References, line ends, and white space in models, for everything that reads one. */
import { describe, expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { convertModel, UnreadableFile } from '@perdure/convert';
import { compileModel } from '@perdure/dmn';
import { perform } from '@perdure/dmn/work.js';
import { flow, graphOf, nodeOf, problemsOf, processFile, through } from '../bpmn/support/model.js';
import { around } from '../convert/models.js';
import { decision, dmn, evaluate, input, literal, table } from '../dmn/support.js';

const script = (expression: string) =>
  through(
    `<bpmn:scriptTask id="m"><bpmn:extensionElements><zeebe:script expression="${expression}" resultVariable="r"/></bpmn:extensionElements></bpmn:scriptTask>`,
  );

const scriptOf = async (expression: string) => nodeOf(await graphOf(script(expression)), 'scriptTask').script;

describe('a BPMN model', () => {
  test.each([
    ['a reference above U+FFFF', '=x = &quot;&#x1F600;&quot;', '=x = &quot;😀&quot;'],
    ['the same in decimal', '=x = &quot;&#128512;&quot;', '=x = &quot;😀&quot;'],
    ['a line break in an attribute', '=[1,\r\n2]', '=[1, 2]'],
    ['a tab in an attribute', '=&quot;a\tb&quot;', '=&quot;a b&quot;'],
  ])('with %s means the same as without', async (_what, written, plain) => {
    expect(await scriptOf(written)).toEqual(await scriptOf(plain));
  });

  test('keeps line breaks and tabs that are references', async () => {
    expect(await scriptOf('=&quot;a&#10;b&#9;c&quot;')).not.toEqual(await scriptOf('=&quot;a b c&quot;'));
  });

  test('means the same with each kind of line end', async () => {
    const lines = through(
      '<bpmn:task id="m"/>',
      `<bpmn:task id="n"/>${flow('c', 'm', 'n', '=x =\n"a\nb"')}<bpmn:textAnnotation id="t"/>`,
    );
    const addresses = ['\n', '\r\n', '\r'].map(async (end) => (await compile(lines.replaceAll('\n', end))).processes);
    const [first, ...others] = await Promise.all(addresses);
    expect(first).toHaveLength(1);
    for (const other of others) expect(other).toEqual(first);
  });

  test('has its problems at the lines and columns of the file', async () => {
    const magic = '<bpmn:startEvent id="s" name="&#x1F600;\r\n  second\r\n  third"/><bpmn:magic/>';
    expect(await problemsOf(processFile(`\r\n${magic}`))).toContainEqual(
      expect.stringContaining(`Line 5, column ${'  third"/>'.length + 1}: `),
    );
  });

  test('keeps references above U+FFFF if a prefix of the file has the default namespace too', async () => {
    const twice = script('=&quot;&#x1F600;&quot;').replace(
      '<bpmn:definitions ',
      '<bpmn:definitions xmlns="urn:test" xmlns:tns="urn:test" ',
    );
    expect(nodeOf(await graphOf(twice), 'scriptTask').script).toEqual(await scriptOf('=&quot;😀&quot;'));
  });
});

describe('a DMN model', () => {
  /** @param cell may have references */
  const chosen = (cell: string, x: string) => {
    const rules = [
      ['CELL', '"yes"'],
      ['-', '"no"'],
    ];
    const logic = table({ hitPolicy: 'FIRST', inputs: ['x'], outputs: ['o'], rules });
    const xml = dmn(input('x') + decision('d', logic, { requires: ['input_x'] })).replace('CELL', cell);
    return evaluate(xml.replaceAll('\n', '\r\n'), { x })['d']!.value;
  };

  test('matches texts of several lines, whatever ends the lines of the file', () => {
    expect(chosen('"a\nb"', 'a\nb')).toBe('yes');
    expect(chosen('not("a\nb")', 'a\nb')).toBe('no');
  });

  test('matches references above U+FFFF', () => {
    expect(chosen('"&#x1F600;"', '😀')).toBe('yes');
  });

  test('is stored as it was written', () => {
    const xml = dmn(decision('d', literal('"TEXT"')))
      .replace('TEXT', '&#x1F600;\t')
      .replaceAll('\n', '\r\n');
    expect(perform({ kind: 'compile', xml, imported: [] }).content?.xml).toBe(xml);
  });
});

describe('a reference that XML does not have', () => {
  test.each(['&#0;', '&#xD83D;', '&#xD83D;&#xDE00;', '&auml;', '&AMP;', 'a & b'])(
    'is refused by everything that reads models, with its line: %s',
    async (written) => {
      const where = /^The file is not well-formed XML at line 2, column \d+: /;
      const message = expect.stringMatching(where) as string;
      expect(await compile(script(`=&quot;${written}&quot;`))).toMatchObject({
        refused: 'MALFORMED',
        problems: [{ severity: 'error', message }],
      });
      expect(compileModel(dmn(decision('d', literal('"TEXT"'))).replace('TEXT', written))).toMatchObject({
        refusal: { reason: 'MALFORMED', message },
      });
      const foreign = around(`<userTask id="a" camunda:assignee="${written}"/>`);
      expect(() => convertModel(foreign)).toThrow(UnreadableFile);
      expect(() => convertModel(foreign)).toThrow(/ at line 7, column \d+: /);
    },
  );
});

describe('a converted model', () => {
  const converted = (attributes: string, content: string) =>
    convertModel(
      around(
        `<userTask id="a" camunda:assignee="x" ${attributes}><documentation>${content}</documentation></userTask>`,
      ),
    ).xml;

  test('has the characters, line breaks, and tabs of the file that it was', () => {
    const xml = converted('name="a&#x1F600;\r\nb&#13;&#10;&#9;c"', 'a&#x1F600;\r\nb&#13;');
    expect(xml).toContain('name="a😀 b&#13;&#10;&#9;c"');
    expect(xml).toContain('>a😀\nb&#13;</');
  });

  test('has line separators that end no line in XML 1.0', () => {
    expect(converted('', 'a\u0085b\u2028c')).toContain('>a\u0085b\u2028c</');
  });
});
