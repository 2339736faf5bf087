/** Loads like the thread of workflows; computes without end, or throws, when it is asked for anything. */
import { parentPort } from 'node:worker_threads';

parentPort.postMessage({ id: 0, sinkCalls: [] });
parentPort.on('message', ({ runID }) => {
  if (runID === 'throws') throw new Error('thrown by a test');
  for (;;);
});
