/** The worker thread that verifies large bodies: gets their bytes, and returns the bytes of their pieces. */
import { parentPort } from 'node:worker_threads';
import { divideJson, type JsonWork } from './json-work.js';

parentPort!.on('message', (work: JsonWork) => {
  const done = divideJson(work);
  parentPort!.postMessage(done, done.ok ? [done.bytes.buffer] : []);
});
