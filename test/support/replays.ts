/** Replays of histories: all with one worker, because each worker loads the workflows again. */
import type { DataConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';

export interface RecordedHistory {
  readonly workflowID: string;
  readonly history: temporal.api.history.v1.IHistory;
}

export interface ReplayOptions {
  /** The bundle that `npm run build` or `workflowBundle` creates. */
  readonly bundlePath: string;
  readonly dataConverter?: DataConverter;
}

/** @returns for each history, why it does not replay; undefined if it does */
export async function replayAll(
  { bundlePath, dataConverter }: ReplayOptions,
  recorded: readonly RecordedHistory[],
): Promise<(Error | undefined)[]> {
  const errors: (Error | undefined)[] = [];
  const replays = Worker.runReplayHistories(
    { workflowBundle: { codePath: bundlePath }, ...(dataConverter && { dataConverter }) },
    recorded.map(({ workflowID, history }) => ({ workflowId: workflowID, history })),
  );
  for await (const { error } of replays) errors.push(error);
  if (errors.length < recorded.length) throw new Error(`Only ${errors.length} of ${recorded.length} were replayed`);
  return errors;
}

/** @throws the first reason why one of them does not replay */
export async function expectReplays(options: ReplayOptions, recorded: readonly RecordedHistory[]): Promise<void> {
  for (const error of await replayAll(options, recorded)) if (error) throw error;
}
