/** The worker of others, as a process that can be killed: node nexus-caller.mjs <address> <task queue> <bundle> */
import { NativeConnection, Runtime, DefaultLogger, Worker } from '@temporalio/worker';

const [address, taskQueue, codePath] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({ connection, taskQueue, workflowBundle: { codePath } });
await worker.run();
