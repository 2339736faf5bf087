/** Deploys the example and starts an order. */
import { api, unwrap } from '../../frame/api/client.js';
import { exampleFiles } from './files.js';
import { orderProcessID, smallTotal, startOrder } from './order.js';
import type { DemoOrder } from './order.js';

export interface Step {
  number: number;
  of: number;
  label: string;
}

/**
 * Can be repeated with the same order after a failure: files that are deployed and an order that runs stay as they are.
 *
 * @param onStep called when a step begins
 */
export async function runExample(projectID: string, orderID: string, onStep: (step: Step) => void): Promise<DemoOrder> {
  onStep({ number: 1, of: 2, label: 'Deploying the example' });
  const definitionID = await deploy(projectID);
  onStep({ number: 2, of: 2, label: 'Starting an order' });
  return startOrder(projectID, definitionID, { orderID, total: smallTotal });
}

/** Deploys both files as one bundle. @returns the id of the process of orders, new or unchanged */
async function deploy(projectID: string): Promise<string> {
  const { files } = await unwrap(
    api.POST('/projects/{projectID}/bpmn/deployments', {
      params: { path: { projectID } },
      body: { name: 'Example', files: [...exampleFiles] },
    }),
  );
  const processes = files.flatMap((file) => file.processes ?? []);
  const definitionID = processes.find(({ processID }) => processID === orderProcessID)?.definitionID;
  if (definitionID === undefined) throw new Error(`The deployment has no process ${orderProcessID}.`);
  return definitionID;
}
