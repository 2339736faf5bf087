/** Every workflow type; the entry of the workflow bundle. */
export { processInstance } from './process-instance.js';
export { startByTimer } from './start-by-timer.js';
