/** The worker thread of the page that compiles, evaluates, and compares models, so that editing stays responsive. */
import { compareFiles } from '../changes/changes.js';
import { checkFile, evaluateDecision } from './check-file.js';
import type { ModelAnswer, ModelTask } from './model-task.js';

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<ModelTask>) => void): void;
  postMessage(answer: ModelAnswer): void;
}

const scope = self as unknown as WorkerScope;

scope.addEventListener('message', ({ data }) => {
  answerTo(data).then(
    (answer) => scope.postMessage(answer),
    (error: unknown) => scope.postMessage({ kind: 'failed', reason: String((error as Error).message) }),
  );
});

async function answerTo(task: ModelTask): Promise<ModelAnswer> {
  switch (task.kind) {
    case 'check':
      return { kind: 'checked', ...(await checkFile(task.file)) };
    case 'compare':
      return { kind: 'compared', changes: await compareFiles(task.before, task.after) };
    case 'evaluate':
      return evaluateDecision(task.tried);
  }
}
