import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { locateDiagnostics } from '../../packages/cli/diagnostics.js';
import { processFile } from '../bpmn/support/model.js';

test('a mistake in the XML is placed at its own line, not at that of the element around it', async () => {
  const xml = processFile('\n<bpmn:startEvent id="s"/>\n<bpmn:task id="t">\n  <bpmn:magic/></bpmn:task>');
  const { problems } = await compile(xml);

  expect(locateDiagnostics('m.bpmn', xml, problems).filter(({ severity }) => severity === 'error')).toMatchObject([
    { elementID: 't', line: 5, column: 3 },
  ]);
});

test('any other problem is placed at its element', () => {
  const xml = processFile('\n<bpmn:startEvent id="s"/>\n<bpmn:task id="t"/>');

  expect(
    locateDiagnostics('m.bpmn', xml, [
      { severity: 'error', elementID: 't', message: 'The script is not valid FEEL at line 1, column 9: x' },
    ]),
  ).toMatchObject([{ line: 4, column: 1 }]);
});
