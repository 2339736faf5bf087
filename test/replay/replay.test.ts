import { beforeAll, expect, test } from 'vitest';
import { compiledScript } from '../../dev/repository.js';
import { quietRuntime } from '../support/quiet-runtime.js';
import { replayAll } from '../support/replays.js';
import { readHistories } from './histories.js';

quietRuntime();

const histories = readHistories();
const errors = new Map<string, Error | undefined>();
let errorOfForeign: Error | undefined;

beforeAll(async () => {
  // Without its variables the instance would have come to an incident, and not to its end.
  const foreign = readHistories().find(({ file }) => file.endsWith('-straight-through.json'))!;
  const [input] = foreign.history.events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
  const given = JSON.parse(Buffer.from(input!.data!).toString());
  input!.data = Buffer.from(JSON.stringify({ ...given, start: { variables: {} } }));

  const replayed = await replayAll({ bundlePath: compiledScript('workflow-bundle.js') }, [...histories, foreign]);
  errorOfForeign = replayed.pop();
  for (const [index, { file }] of histories.entries()) errors.set(file, replayed[index]);
});

test.each(histories)('this build goes the way that $file went', ({ file }) => {
  expect(errors.has(file)).toBe(true);
  expect(errors.get(file)).toBeUndefined();
});

test('a history that this build would not have made is noticed', () => {
  expect(errorOfForeign?.message).toMatch(
    /This build cannot repeat step \d+ of .*: \d+ facts were written, but \d+ were computed; the first difference is fact \d+/,
  );
});
