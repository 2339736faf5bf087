/** The thread that evaluates predicates: a batch comes in, its tallies and matches go out. */
import { parentPort } from 'node:worker_threads';
import { evaluateBatch, type EvaluationWork } from './evaluation.js';

parentPort!.on('message', (work: EvaluationWork) => {
  parentPort!.postMessage(evaluateBatch(work));
});
