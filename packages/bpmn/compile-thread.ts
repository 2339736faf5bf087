/** The worker thread that compiles BPMN files: takes the text of a file, returns its compiled resource. */
import { parentPort } from 'node:worker_threads';
import { compile } from './compile/compile.js';

parentPort!.on('message', async (xml: string) => {
  parentPort!.postMessage(await compile(xml));
});
