/** Answers like the thread of workflows. Runs whose id says so compute without end, or throw. */
import { parentPort } from 'node:worker_threads';

parentPort.postMessage({ id: 0, sinkCalls: [] });
parentPort.on('message', ({ id, runID }) => {
  if (runID.startsWith('throwing')) throw new Error('thrown by a test');
  if (runID.startsWith('endless')) for (;;);
  parentPort.postMessage({ id, sinkCalls: [], completion: { runId: runID } });
});
