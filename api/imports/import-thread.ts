/** The worker thread that reads imports and makes the states of their instances. */
import { parentPort } from 'node:worker_threads';
import { newModels, performImportWork, type ImportWork } from './work.js';

const models = newModels();

parentPort!.on('message', (work: ImportWork) => {
  const done = performImportWork(work, models);
  parentPort!.postMessage(
    done,
    [done.json, ...done.parts].map(({ buffer }) => buffer),
  );
});
