/** The worker thread that compares instances with a version. */
import { parentPort } from 'node:worker_threads';
import { compareWith, Known, type Work } from './compare.js';

const known = new Known();

parentPort!.on('message', (work: Work) => parentPort!.postMessage(compareWith(known, work)));
