import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { LIMITS } from '@perdure/xml/check-text.js';
import { processFile } from './support/model.js';

const ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
const LAUGHS = `<!DOCTYPE a [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}]>`;

test.each([
  ['external entities', ENTITY + processFile('&x;'), 'MALFORMED', 'DOCTYPE not allowed'],
  [
    'parameter entities',
    `<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x.dtd"> %x;]>${processFile('')}`,
    'MALFORMED',
    'DOCTYPE not allowed',
  ],
  [
    'a long entity that is used often',
    `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(100_000)}">]>${processFile('&x;'.repeat(10_000))}`,
    'MALFORMED',
    'DOCTYPE not allowed',
  ],
  ['entities that multiply', LAUGHS + processFile('&l9;'), 'MALFORMED', 'DOCTYPE not allowed'],
  ['a NUL', processFile('\0'), 'MALFORMED', 'Character U+0000'],
  ['half a character', processFile('\ud83d'), 'MALFORMED', 'Character U+D83D'],
  ['nothing', '', 'MALFORMED', 'missing start tag'],
  ['no XML', '{"a": 1}', 'MALFORMED', 'missing start tag'],
  ['an element that is never closed', '<a><b></a>', 'MALFORMED', 'line 1, column 7: closing tag mismatch'],
  ['its second half missing', processFile('<bpmn:startEvent id="s"/>').slice(0, -40), 'MALFORMED', 'unclosed tag'],
  [
    'an attribute given twice',
    processFile('\n<bpmn:startEvent id="s" id="t"/>'),
    'MALFORMED',
    'line 3, column 1: attribute <id> already defined',
  ],
  [
    'too many bytes',
    processFile('é'.repeat(LIMITS.fileBytes / 2)),
    'TOO_LARGE',
    `but the limit is ${LIMITS.fileBytes}`,
  ],
  ['too many elements', processFile('<bpmn:task/>'.repeat(200_000)), 'TOO_LARGE', 'The file has 200002 elements'],
  [
    'too deep nesting',
    processFile('<bpmn:subProcess>'.repeat(20_000) + '</bpmn:subProcess>'.repeat(20_000)),
    'TOO_LARGE',
    'Elements are nested too deeply: the limit is 128 levels',
  ],
  [
    'an attribute of a megabyte',
    processFile(`<bpmn:task name="${'x'.repeat(1_000_000)}"/>`),
    'TOO_LARGE',
    'A tag or text at offset',
  ],
  [
    'a tag made of mistakes',
    processFile('<bpmn:task id="a '.repeat(90_000)),
    'MALFORMED',
    'illegal character after attribute end',
  ],
])('a file with %s is refused before it is read', async (_what, xml, refused, message) => {
  const compiled = await compile(xml);

  expect(compiled).toMatchObject({ refused, definitionsID: '', processes: [], problems: [{ severity: 'error' }] });
  expect(compiled.problems[0]?.message).toContain(message);
});

test('a prefix without a namespace is reported as malformed', async () => {
  const { problems } = await compile('<bpmn:definitions id="d"/>');

  expect(problems[0]?.message).toContain('missing namespace on <bpmn:definitions>');
});

test('addresses in a file are not fetched', async () => {
  const xml = processFile('<bpmn:startEvent id="s"/>')
    .replace(
      '<bpmn:process',
      '<bpmn:import namespace="urn:x" location="http://127.0.0.1:1/x.xsd" importType="http://www.w3.org/2001/XMLSchema"/><bpmn:process',
    )
    .replace('?>\n', '?>\n<?xml-stylesheet href="http://127.0.0.1:1/x.xsl"?>');

  expect((await compile(xml)).problems).toEqual([]);
});

test('attributes with the names of what the parser keeps do not confuse it', async () => {
  const { refused } = await compile(
    processFile(
      '<bpmn:startEvent id="s" flowElements="x" eventDefinitions="y" extensionElements="z" get="a" constructor="b"/>',
    ),
  );

  expect(refused).toBeUndefined();
});

test.each([
  ['parentheses', '('.repeat(200_000)],
  ['lists', `${'['.repeat(1500)}1${']'.repeat(1500)}`],
  ['signs', `${'-'.repeat(2000)}1`],
  ['operators', `${'1+'.repeat(1100)}1`],
])(
  'an expression nested very deeply by its %s is a mistake of the model, not of the compiler',
  async (_what, expression) => {
    const { processes, problems } = await compile(
      processFile(
        `<bpmn:startEvent id="s"/><bpmn:scriptTask id="t"><bpmn:script>=${expression}</bpmn:script></bpmn:scriptTask>`,
      ),
    );

    expect(processes).toEqual([]);
    expect(problems.filter(({ severity }) => severity === 'error').map(({ elementID }) => elementID)).toEqual(['t']);
  },
);
