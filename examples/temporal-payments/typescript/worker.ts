/** Runs the activity and the workflow: node dist/examples/temporal-payments/typescript/worker.js */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './activities.js';

const { TEMPORAL_ADDRESS: address = '127.0.0.1:7233', TEMPORAL_NAMESPACE: namespace = 'default' } = process.env;
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue: 'payments-typescript',
  activities,
  workflowsPath: fileURLToPath(new URL('./workflows.js', import.meta.url)),
});
await worker.run();
