/** Deploys the example where it is missing and starts an order. */
import { api, unwrap } from '../../frame/api/client.js';
import { exampleFiles } from './files.js';
import type { ExampleFile } from './files.js';
import { smallTotal, startOrder } from './order.js';
import type { DemoOrder } from './order.js';

export interface Step {
  number: number;
  of: number;
  label: string;
}

/**
 * Can be repeated with the same order after a failure: it continues with what is missing.
 *
 * @param onStep called when a step begins
 */
export async function runExample(projectID: string, orderID: string, onStep: (step: Step) => void): Promise<DemoOrder> {
  const of = exampleFiles.length + 1;
  let definitionID = '';
  for (const [index, file] of exampleFiles.entries()) {
    onStep({ number: index + 1, of, label: `Deploying ${file.name}` });
    definitionID = await deployIfMissing(projectID, file);
  }
  onStep({ number: of, of, label: 'Starting an order' });
  return startOrder(projectID, definitionID, { orderID, total: smallTotal });
}

/** The id of the newest version of its process. */
async function deployIfMissing(projectID: string, file: ExampleFile): Promise<string> {
  const deployed = await newestVersion(projectID, file);
  if (deployed !== undefined) return deployed;
  await deploy(projectID, file);
  const now = await newestVersion(projectID, file);
  if (now === undefined) throw new Error(`${file.name} was deployed, but process ${file.processID} has been deleted.`);
  return now;
}

async function newestVersion(projectID: string, { processID }: ExampleFile): Promise<string | undefined> {
  const { data } = await unwrap(
    api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
      params: { path: { projectID, processID }, query: { pageSize: 1 } },
    }),
  );
  return data[0]?.id;
}

async function deploy(projectID: string, { name, xml }: ExampleFile): Promise<void> {
  const { id: resourceID } = await unwrap(
    api.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body: { name, xml } }),
  );
  const params = { path: { projectID, resourceID } };
  try {
    await unwrap(api.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
  } catch (error) {
    // Leaves no draft behind. A file that was deployed nevertheless cannot be deleted and is found next time.
    await api.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', { params }).catch(() => undefined);
    throw error;
  }
}
