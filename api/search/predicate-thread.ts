/** The worker thread that checks long predicates. */
import { parentPort } from 'node:worker_threads';
import { checkPredicate } from './predicate.js';

parentPort!.on('message', (text: string) => parentPort!.postMessage(checkPredicate(text)));
