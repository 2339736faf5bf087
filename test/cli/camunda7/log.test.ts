/** The log of a move. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openLog } from '../../../packages/cli/camunda7/log.js';
import { toRollBack } from '../../../packages/cli/camunda7/rollback.js';

const folder = mkdtempSync(join(tmpdir(), 'perdure-move-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = { url: 'http://engine/engine-rest', key: 'order' };
const imported = { event: 'imported', workflowID: 'w', processID: 'order', waitsAt: ['approve'] } as const;

it('a log that is opened again says what was done, also after its last line was cut off', () => {
  const path = join(folder, 'cut.jsonl');
  const log = openLog(path, source);
  log.write({ id: 'a', event: 'suspending', instance: 'a' });
  log.write({ id: 'a', event: 'suspending', instance: 'called' });
  log.write({ id: 'a', ...imported });
  log.write({ id: 'b', event: 'suspending', instance: 'b' });
  appendFileSync(path, '{"id":"b","event":"imp');
  const again = openLog(path, source);
  expect(again.of('a')).toMatchObject({ suspended: ['a', 'called'], imported: { workflowID: 'w' } });
  expect(again.of('b')).toEqual({ suspended: ['b'] });
  again.write({ id: 'b', ...imported });
  expect(openLog(path, source).of('b').imported).toBeDefined();
  expect(toRollBack(openLog(path, source))).toEqual(['a', 'b']);
});

it('a rollback concerns what is imported and not taken back', () => {
  const log = openLog(join(folder, 'back.jsonl'), source);
  for (const id of ['a', 'b']) log.write({ id, ...imported });
  log.write({ id: 'c', event: 'refused', reasons: ['no'] });
  log.write({ id: 'a', event: 'takenBack' });
  expect(toRollBack(log)).toEqual(['b']);
});

it('a file that is not a log, or that of another process or engine, is refused', () => {
  const other = join(folder, 'other.txt');
  writeFileSync(other, 'hello\n');
  expect(() => openLog(other, source)).toThrow('is not the log of a move');
  const path = join(folder, 'order.jsonl');
  openLog(path, source);
  expect(() => openLog(path, { ...source, key: 'invoice' })).toThrow('is the log of process order');
  expect(() => openLog(path, { ...source, url: 'http://elsewhere' })).toThrow('is the log of process order');
});
