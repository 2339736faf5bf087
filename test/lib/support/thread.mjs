/** A thread for tests: does what the message says. */
import { getPriority } from 'node:os';
import { parentPort, threadId } from 'node:worker_threads';

parentPort.on('message', (wish) => {
  if (wish === 'spin') for (;;);
  if (wish === 'hoard') for (const all = []; ;) all.push({ all });
  if (wish === 'throw') throw new Error('the thread threw');
  if (wish === 'exit') process.exit(3);
  parentPort.postMessage({ wish: wish === 'priority' ? String(getPriority()) : wish, threadId });
});
