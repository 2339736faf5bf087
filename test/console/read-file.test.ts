import { expect, test } from 'vitest';
import { readFile } from '../../console/screens/deploy/read-file.js';

const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a name="Gebühr"/>`;
const fileOf = (text: string) => new File([Buffer.from(text, 'latin1')], 'fees.bpmn');

test('the console reads a file that was chosen in the encoding that it declares', async () => {
  expect(await readFile(fileOf(xml('windows-1252')))).toEqual({ name: 'fees.bpmn', xml: xml('UTF-8') });
});

test('the console refuses a file that is not in the encoding that it declares', async () => {
  await expect(readFile(fileOf(xml('UTF-8')))).rejects.toThrow(
    'fees.bpmn is declared as UTF-8, but byte 0xFC at offset 50 (line 1) is invalid.',
  );
});
