import type { Caller } from '../caller.js';

/** A version of a process. */
export interface Deployed {
  id: string;
  version: number;
}

/** Deploys a file with one process. */
export async function deployModel(caller: Caller, projectID: string, name: string, xml: string): Promise<Deployed> {
  const resources = `/projects/${projectID}/bpmn/resources`;
  const { body: created, status } = await caller.send('POST', resources, { name, xml });
  if (status !== 201) throw new Error(`Resource ${name} was answered ${status}: ${JSON.stringify(created)}`);
  const deployed = await caller.send('POST', `${resources}/${created.id}/deploy`);
  if (deployed.status !== 204)
    throw new Error(`Deploying ${name} was answered ${deployed.status}: ${JSON.stringify(deployed.body)}`);
  const { body } = await caller.send('GET', `${resources}/${created.id}`);
  const { id, version } = body.processes[0];
  return { id, version };
}
