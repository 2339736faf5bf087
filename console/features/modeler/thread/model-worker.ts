/** The worker thread of the page that compiles and compares models, so that editing stays responsive. */
import { compile } from '@perdure/bpmn/compile/compile.js';
import { compareFiles } from '../changes/changes.js';
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
  if (task.kind === 'check') return { kind: 'checked', problems: (await compile(task.xml)).problems };
  return { kind: 'compared', changes: await compareFiles(task.before, task.after) };
}
