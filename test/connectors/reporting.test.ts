/** The end of an HTTP task on its way to the database. */
import { describe, expect, test } from 'vitest';
import { untilReported, type End } from '../../connectors/work.js';

const completed: End = { kind: 'completed', variables: { answer: 1 } };
const refusal = (code: string) => Object.assign(new Error(`refused with ${code}`), { code });
const running = new AbortController().signal;

/** Collects what is reported; each report fails with the next SQLSTATE. */
function reports(...sqlStates: string[]): { given: End[]; report: (end: End) => Promise<void> } {
  const given: End[] = [];
  const report = async (end: End) => {
    given.push(end);
    const sqlState = sqlStates[given.length - 1];
    if (sqlState !== undefined) throw refusal(sqlState);
  };
  return { given, report };
}

describe('a result', () => {
  test('is reported again while the database is down', async () => {
    const { given, report } = reports('57P01', '53300');
    await untilReported(completed, report, running, 1);
    expect(given).toEqual([completed, completed, completed]);
  });

  test('that the database refuses for good fails the job with the reason, without another attempt', async () => {
    const { given, report } = reports('22021');
    await untilReported(completed, report, running, 1);
    expect(given).toHaveLength(2);
    expect(given[1]).toMatchObject({ kind: 'failed', error: { code: 'RESULT_UNSTORABLE', options: {} } });
    expect((given[1] as { error: Error }).error.message).toContain('refused with 22021 (SQLSTATE 22021)');
  });

  test('is given up when not even the failure can be stored', async () => {
    const { given, report } = reports('22021', '54000');
    await expect(untilReported(completed, report, running, 1)).rejects.toThrow('refused with 54000');
    expect(given).toHaveLength(2);
  });

  test('is given up at last when the database keeps failing', async () => {
    const { given, report } = reports(...Array.from({ length: 100 }, () => '42501'));
    // Without a pause; each attempt doubles it.
    await expect(untilReported(completed, report, running, 0)).rejects.toThrow('refused with 42501');
    expect(given).toHaveLength(25);
  });
});
