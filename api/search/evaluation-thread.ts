/** The worker thread that evaluates predicates: receives a batch, returns tallies and matches. */
import { parentPort } from 'node:worker_threads';
import { evaluateBatch, type EvaluationWork } from './evaluation.js';

parentPort!.on('message', (work: EvaluationWork) => {
  parentPort!.postMessage(evaluateBatch(work));
});
