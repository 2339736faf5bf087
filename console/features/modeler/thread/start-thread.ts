import type { Thread } from './model-task.js';

export function startThread(): Thread {
  const worker = new Worker(new URL('./model-worker.ts', import.meta.url), { type: 'module' });
  // Its messages are those of model-worker.ts.
  return worker as unknown as Thread;
}
