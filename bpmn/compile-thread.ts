/** The thread that compiles BPMN files: a file's text comes in, its compiled resource goes out. */
import { parentPort } from 'node:worker_threads';
import { compile } from './compile.js';

parentPort!.on('message', async (xml: string) => {
  parentPort!.postMessage(await compile(xml));
});
