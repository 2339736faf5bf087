/** The worker thread that evaluates conditional start events. */
import { parentPort } from 'node:worker_threads';
import { conditionsMet, type ConditionsWork } from './conditions.js';

parentPort!.on('message', (work: ConditionsWork) => {
  parentPort!.postMessage(conditionsMet(work));
});
