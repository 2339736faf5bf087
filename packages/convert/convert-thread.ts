/** The worker thread that converts BPMN files: takes the text of a file, returns its conversion. */
import { parentPort } from 'node:worker_threads';
import { tryToConvert } from './convert.js';

parentPort!.on('message', (xml: string) => parentPort!.postMessage(tryToConvert(xml)));
