/** Commands of a platform team with `temporal worker deployment`, and their visible effects. */
import type { Client } from '@temporalio/client';
import { eventually } from '../../support/eventually.js';

export class Deployment {
  readonly #client: Client;
  readonly #name: string;

  constructor(client: Client, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** Gives every instance to this build, once the server knows it. */
  async makeCurrent(buildId: string): Promise<void> {
    await this.#whenKnown(buildId, (request) =>
      this.#client.workflowService.setWorkerDeploymentCurrentVersion(request),
    );
  }

  /** Gives so many percent of the instances to this build, whichever they are. */
  async ramp(buildId: string, percentage: number): Promise<void> {
    await this.#whenKnown(buildId, (request) =>
      this.#client.workflowService.setWorkerDeploymentRampingVersion({ ...request, percentage }),
    );
  }

  async #whenKnown(
    buildId: string,
    call: (request: {
      namespace: string;
      deploymentName: string;
      buildId: string;
      identity: string;
    }) => Promise<unknown>,
  ): Promise<void> {
    const request = {
      namespace: this.#client.options.namespace,
      deploymentName: this.#name,
      buildId,
      identity: 'platform team',
    };
    let last = '';
    await eventually(`build ${buildId} to be taken by the server`, async () => {
      try {
        await call(request);
        return true;
      } catch (error) {
        last = (error as Error).message;
        return undefined;
      }
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${last}`);
    });
  }
}

/** The builds that have done the workflow tasks of an instance, in their order, each once in a row. */
export async function buildsOf(client: Client, workflowID: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(workflowID).fetchHistory();
  const builds = (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: completed }) => completed?.deploymentVersion?.buildId ?? [],
  );
  return builds.filter((build, index) => build !== builds[index - 1]);
}
