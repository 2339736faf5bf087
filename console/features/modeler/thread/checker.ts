/** Compiles, evaluates, and compares models in a worker thread of the page, within a limit of time. */
import type { Change } from '../changes/changes.js';
import type { EvaluationResult } from '@perdure/dmn/answer.js';
import type { CheckedFile, CheckedModel, ModelAnswer, ModelTask, Thread, TriedDecision } from './model-task.js';

/** As long as the host takes at most. */
const LIMIT_MS = 10_000;

const tooSlow: ModelAnswer = {
  kind: 'failed',
  reason: `It takes longer than ${LIMIT_MS / 1000} seconds. Split the model or move parts into called processes.`,
};

export type CheckResult = CheckedModel | { failed: string };

export interface Checker {
  /** Checks a file. Of files that arrive during a check, only the last is checked, and earlier results are dropped. */
  check(file: CheckedFile): void;
  close(): void;
}

/** @param start starts a worker thread */
export function createChecker(start: () => Thread, onResult: (result: CheckResult) => void): Checker {
  let thread: Thread | undefined;
  let isBusy = false;
  let next: CheckedFile | undefined;
  let isClosed = false;

  /** A thread that failed may never answer again: its script can be missing after an update of the host. */
  function endThread(): void {
    thread?.terminate();
    thread = undefined;
  }

  async function run(file: CheckedFile): Promise<void> {
    isBusy = true;
    thread ??= start();
    const answer = await answerOf(thread, { kind: 'check', file });
    isBusy = false;
    if (isClosed) return;
    if (answer.kind === 'failed') endThread();
    const waiting = next;
    next = undefined;
    if (waiting !== undefined) return run(waiting);
    if (answer.kind === 'checked') {
      const { kind: _, ...checked } = answer;
      onResult(checked);
    }
    if (answer.kind === 'failed') onResult({ failed: answer.reason });
  }

  return {
    check(file) {
      if (isBusy) next = file;
      else void run(file);
    },
    close() {
      isClosed = true;
      endThread();
    },
  };
}

/** @throws Error with a sentence for the user */
export async function compareInThread(thread: Thread, before: string, after: string): Promise<Change[]> {
  const answer = await answerOf(thread, { kind: 'compare', before, after });
  thread.terminate();
  if (answer.kind === 'compared') return answer.changes;
  throw new Error(`The files cannot be compared. ${answer.kind === 'failed' ? answer.reason : ''}`.trim());
}

/** @throws Error with a sentence for the user */
export async function evaluateInThread(thread: Thread, tried: TriedDecision): Promise<readonly EvaluationResult[]> {
  const answer = await answerOf(thread, { kind: 'evaluate', tried });
  thread.terminate();
  if (answer.kind === 'evaluated') return answer.results;
  throw new Error(answer.kind === 'failed' ? answer.reason : 'The decision was not evaluated.');
}

/** A thread that takes too long is ended. */
function answerOf(thread: Thread, task: ModelTask): Promise<ModelAnswer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      thread.terminate();
      resolve(tooSlow);
    }, LIMIT_MS);
    const finish = (answer: ModelAnswer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    thread.onmessage = ({ data }) => finish(data);
    thread.onerror = ({ message }) => finish({ kind: 'failed', reason: message || 'The check could not be loaded.' });
    thread.postMessage(task);
  });
}
