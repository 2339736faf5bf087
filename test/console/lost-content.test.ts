import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel } from '@perdure/dmn';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { lostContent, sentenceOfLost } from '../../console/features/modeler/dmn/lost-content.js';
import { toEditable } from '../../console/features/modeler/dmn/versions.js';
import type { XmlNode } from '../../console/features/modeler/kept-content.js';
import { contextOf } from '../../console/screens/modeler/decisions/inputs.js';
import { lineChanges } from '../../console/features/modeler/changes/line-changes.js';
import { repositoryRoot } from '../../dev/repository.js';
import { decisionsOpenedAndSaved } from './support/decisions-opened-and-saved.js';

const exampleFile = readFileSync(join(repositoryRoot, 'examples/expense-approval/approver.dmn'), 'utf8');

const parse = (xml: string) => new DOMParser().parseFromString(xml, 'application/xml') as unknown as XmlNode;
const lost = (before: string, after: string) => lostContent(parse(before), parse(after));

const model = (version: string, content = '') =>
  `<definitions xmlns="https://www.omg.org/spec/DMN/${version}/MODEL/" id="file" namespace="urn:test">${content}</definitions>`;

describe('the losses of a file in an editor', () => {
  it('are none of a file that is written in another order, format, and with other prefixes', () => {
    expect(
      lost(
        '<a xmlns="urn:a" b="1" c="2"><d id="one">text</d><e/></a>',
        '<x:a xmlns:x="urn:a" c="2" b="1">\n  <x:e/>\n  <x:d id="one">text</x:d>\n</x:a>',
      ),
    ).toEqual([]);
  });

  it('are an element, an attribute, a text, and one of several that are equal', () => {
    expect(lost('<a><b id="one"><c/></b></a>', '<a><b id="one"/></a>')).toEqual(['the element c']);
    expect(lost('<a><b id="one" unit="EUR"/></a>', '<a><b id="one"/></a>')).toEqual(['unit="EUR" of b one']);
    expect(lost('<a><b>words</b></a>', '<a><b/></a>')).toEqual(['the text of b']);
    expect(lost('<a><b/><b/></a>', '<a><b/></a>')).toEqual(['the element b']);
  });

  it('are not attributes that mean the same when they are left out', () => {
    expect(lost('<a hitPolicy="UNIQUE" isCollection="false"/>', '<a/>')).toEqual([]);
    expect(lost('<a hitPolicy="FIRST"/>', '<a/>')).toEqual(['hitPolicy="FIRST" of a']);
  });

  it('are not numbers of a drawing that are written in another way', () => {
    const shape = (width: string) =>
      `<dc:Bounds xmlns:dc="http://www.omg.org/spec/DMN/20180521/DC/" width="${width}"/>`;
    expect(lost(shape('650.0'), shape('650'))).toEqual([]);
    expect(lost(shape('650.5'), shape('650'))).toEqual(['width="650.5" of Bounds']);
  });

  it('are a short sentence, however many they are', () => {
    expect(sentenceOfLost(Array.from({ length: 1_005 }, (_, index) => `the element ${index}`))).toBe(
      'It would lose the element 0, the element 1, the element 2, the element 3, the element 4, and 1,000 more. Edit the file as XML.',
    );
  });
});

const decision = (logic: string) =>
  model(
    '20230324',
    `<!-- agreed --><decision id="d" name="d" acme:cost="3" xmlns:acme="urn:acme"><acme:owner>Mrs. <acme:b>Müller</acme:b></acme:owner>${logic}</decision>`,
  );

describe('a file that the editor of decisions opens and saves', () => {
  it('keeps comments and what other tools have added', async () => {
    const { saved, lost: missing } = await decisionsOpenedAndSaved(
      decision('<literalExpression id="e"><text>1</text></literalExpression>'),
    );
    expect(missing).toEqual([]);
    expect(saved).toContain('<!-- agreed -->');
    expect(saved).toContain('acme:cost="3"');
    expect(saved).toContain('<acme:owner>Mrs. <acme:b>Müller</acme:b></acme:owner>');
    expect(saved).toContain('https://www.omg.org/spec/DMN/20230324/MODEL/');
  });

  it('shows characters above U+FFFF that are references, and line breaks in attributes as spaces', async () => {
    const written = decision('').replace('name="d"', 'name="&#x1F600;\r\nd"');
    expect((await decisionsOpenedAndSaved(written)).shown).toContain('name="😀 d"');
  });

  it('is the same for the compiler: an example, and expressions that only DMN 1.5 has', async () => {
    const conditional =
      '<conditional id="c"><if><literalExpression><text>true</text></literalExpression></if><then><literalExpression><text>1</text></literalExpression></then><else><literalExpression><text>2</text></literalExpression></else></conditional>';
    for (const xml of [exampleFile, decision(conditional)]) {
      const { saved, lost: missing } = await decisionsOpenedAndSaved(xml);
      expect(missing).toEqual([]);
      expect(compileModel(saved)).toEqual(compileModel(xml));
    }
  });
});

describe('a file of another version of DMN', () => {
  it.each(['20211108', '20230324'])('is given to the editor as 1.3, and written as it was: %s', (version) => {
    const { xml, restore } = toEditable(model(version));
    expect(xml).toBe(model('20191111'));
    expect(restore(xml)).toBe(model(version));
  });

  it('is not opened if it mixes versions, or is 1.1', () => {
    expect(() => toEditable(model('20230324', '<a xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/"/>'))).toThrow(
      'mixes namespaces',
    );
    expect(() => toEditable('<definitions xmlns="http://www.omg.org/spec/DMN/20151101/dmn.xsd"/>')).toThrow('DMN 1.1');
  });
});

describe('the inputs of a decision that is tried', () => {
  const given = (type: string | undefined, text: string) =>
    contextOf([{ name: 'it', ...(type && { typeRef: type }) }], new Map([['it', text]]));

  it('are read by their type, and are none if they are empty', () => {
    expect(given('number', '12.5')).toEqual({ it: 12.5 });
    expect(given('boolean', 'true')).toEqual({ it: true });
    expect(given('string', '12')).toEqual({ it: '12' });
    expect(given('date', '2026-01-31')).toEqual({ it: { '@feel': 'date', value: '2026-01-31' } });
    expect(given(undefined, '{"a": [1]}')).toEqual({ it: { a: [1] } });
    expect(given(undefined, 'gold')).toEqual({ it: 'gold' });
    expect(given('number', ' ')).toEqual({});
  });
});

describe('the lines that another person changed', () => {
  it('are one block from the first to the last difference', () => {
    expect(lineChanges('a\nb\nc\nd', 'a\nx\ny\nd')).toEqual({ line: 2, removed: ['b', 'c'], added: ['x', 'y'] });
    expect(lineChanges('a\na', 'a\na\na')).toEqual({ line: 3, removed: [], added: ['a'] });
    expect(lineChanges('a', 'a')).toBeUndefined();
  });
});
