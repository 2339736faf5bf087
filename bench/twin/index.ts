/** The entry of the twin's workflow bundle: the same workflow type, written by hand for each model. */
export { processInstance } from './process-instance.js';
