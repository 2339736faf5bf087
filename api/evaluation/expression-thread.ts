/** The worker thread that evaluates expressions over the variables of instances. */
import { parentPort } from 'node:worker_threads';
import { evaluateExpression, type ExpressionWork } from './expression.js';

parentPort!.on('message', (work: ExpressionWork) => {
  parentPort!.postMessage(evaluateExpression(work));
});
