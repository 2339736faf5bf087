/** Worker thread for DMN files. */
import { parentPort } from 'node:worker_threads';
import { perform, type Work } from './work.js';

parentPort!.on('message', (work: Work) => parentPort!.postMessage(perform(work)));
