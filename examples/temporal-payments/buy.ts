/**
 * Starts the workflow `buy` of one of the workers and prints its result:
 *
 *     node dist/examples/temporal-payments/buy.js typescript 120
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';

const {
  TEMPORAL_ADDRESS: address = '127.0.0.1:7233',
  TEMPORAL_NAMESPACE: namespace = 'default',
  NEXUS_ENDPOINT: endpoint = 'shop-processes',
} = process.env;
const [language = 'typescript', amount = '120'] = process.argv.slice(2);
const connection = await Connection.connect({ address });
const order = `order-${randomUUID()}`;
const bought: unknown = await new Client({ connection, namespace }).workflow.execute('buy', {
  taskQueue: `payments-${language}`,
  workflowId: order,
  args: [{ order, amount: Number(amount), endpoint }],
});
console.log(bought);
await connection.close();
