import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { compiledScript } from '../../dev/repository.js';
import { quietRuntime } from '../support/quiet-runtime.js';
import { readHistories } from './histories.js';

quietRuntime();

const workflowBundle = { codePath: compiledScript('workflow-bundle.js') };

test.each(readHistories())('this build goes the way that $file went', async ({ workflowID, history }) => {
  await expect(Worker.runReplayHistory({ workflowBundle }, history, workflowID)).resolves.toBeUndefined();
});

test('a history that this build would not have made is noticed', async () => {
  const { workflowID, history } = readHistories().find(({ file }) => file.endsWith('-straight-through.json'))!;
  const [input] = history.events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
  // Without its variables the instance would have come to an incident, and not to its end.
  input!.data = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(input!.data!).toString()), start: { variables: {} } }),
  );
  await expect(Worker.runReplayHistory({ workflowBundle }, history, workflowID)).rejects.toThrow(
    /This build cannot repeat step \d+ of .*: \d+ facts were written, but \d+ were computed; the first difference is fact \d+/,
  );
});
