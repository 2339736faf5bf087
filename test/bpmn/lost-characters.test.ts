/** Texts that were decoded wrongly before they came here, as JSON for example. */
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { convertModel, UnreadableFile } from '@perdure/convert';
import { compileModel } from '@perdure/dmn';
import { perform } from '@perdure/dmn/work.js';
import { sequenceModel, task } from '@perdure/testkit/models';

const process = (encoding: string) =>
  sequenceModel('p', [task('a', { name: 'Geb\uFFFDhr' })]).replace('UTF-8', encoding);
const decisions = (encoding: string, text = 'Geb\uFFFDhr') => `<?xml version="1.0" encoding="${encoding}"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="d">
  <decision id="fee" name="fee"><literalExpression><text>"${text}"</text></literalExpression></decision>
</definitions>`;

test('a model with replacement characters that declares another encoding is refused', async () => {
  const { refused, problems } = await compile(process('windows-1252'));
  expect(refused).toBe('MALFORMED');
  expect(problems).toEqual([
    {
      severity: 'error',
      message: expect.stringMatching(/U\+FFFD .* declares the encoding "windows-1252": characters were lost/),
    },
  ]);
  expect(compileModel(decisions('ISO-8859-1'))).toMatchObject({
    refusal: { reason: 'MALFORMED', message: expect.stringContaining('declares the encoding "ISO-8859-1"') },
  });
  expect(() => convertModel(process('windows-1252'))).toThrow(UnreadableFile);
});

test('a model with replacement characters that declares UTF-8 gets a warning', async () => {
  const { processes, problems } = await compile(process('UTF-8'));
  expect(processes).toHaveLength(1);
  expect(problems).toEqual([{ severity: 'warning', message: expect.stringContaining('U+FFFD') }]);
  expect(compileModel(decisions('UTF-8')).problems).toEqual([
    { severity: 'warning', message: expect.stringContaining('U+FFFD') },
  ]);
});

test('a text that was decoded well is accepted, whatever it declares, and kept as UTF-8', async () => {
  expect(
    (await compile(sequenceModel('p', [task('a', { name: 'Gebühr' })]).replace('UTF-8', 'latin1'))).problems,
  ).toEqual([]);
  const work = perform({ kind: 'compile', xml: decisions('windows-1252', 'Gebühr'), imported: [] });
  expect(work.content?.xml).toBe(decisions('UTF-8', 'Gebühr'));
  expect(convertModel(sequenceModel('p', []).replace('UTF-8', 'latin1')).xml).toBe(sequenceModel('p', []));
});
