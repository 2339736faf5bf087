/** The worker thread for expressions of hooks. */
import { parentPort } from 'node:worker_threads';
import { performHookWork, type HookWork } from './delivery-work.js';

parentPort!.on('message', (work: HookWork) => {
  const done = performHookWork(work);
  parentPort!.postMessage(done, [done.json.buffer]);
});
