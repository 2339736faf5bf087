import { pathToFileURL } from 'node:url';
import { compiledScript } from '../../dev/repository.js';

/** The thread that runs workflows, of the last `npm run build`: a thread cannot run from sources. */
export const workflowThread = pathToFileURL(compiledScript('worker/sandbox/workflow-thread.js'));
