/** Every workflow type; the entry of the workflow bundle. */
export { migrateInstances } from './migrate-instances.js';
export { processInstance } from './process-instance.js';
export { startByTimer } from './start-by-timer.js';
