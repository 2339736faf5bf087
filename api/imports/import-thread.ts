/** The worker thread that reads imports and makes the states of their instances. */
import { parentPort } from 'node:worker_threads';
import { performImportWork, type ImportWork } from './work.js';

parentPort!.on('message', (work: ImportWork) => {
  const done = performImportWork(work);
  parentPort!.postMessage(
    done,
    [done.json, ...done.parts].map(({ buffer }) => buffer),
  );
});
