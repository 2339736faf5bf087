/** Plays a case through the REST API on instances that are Temporal workflows. Each case has its own project. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ConformanceCase, Stimulus } from './case.js';
import { historyOf, reasonsOf, type Driver, type Seen } from './driver.js';
import { eventually } from '../support/eventually.js';

interface Row {
  workflowID: string;
  processId: string;
  createdAt: string;
}

interface Waiting {
  executionKey: string;
  nodeID: string;
  workflowID: string;
  createdAt: string;
}

/** Sends a request with the rights of an admin; the path is that below the project. */
export type SendToProject = (
  method: string,
  path: string,
  json?: object,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: any }>;

export class RestDriver implements Driver {
  readonly #sendToProject: SendToProject;
  #isPaused = false;
  readonly #case: ConformanceCase;
  readonly #definitions = new Map<string, string>();

  /** @param sendToProject of a project that nothing else is in */
  constructor(sendToProject: SendToProject, given: ConformanceCase) {
    this.#sendToProject = sendToProject;
    this.#case = given;
  }

  async begin(): Promise<void> {
    const { files, decisions, startsItself, variables, clock } = this.#case;
    if (decisions !== undefined) await this.#send('POST', '/dmn/definitions', { name: 'decisions', xml: decisions });
    for (const file of [files].flat()) await this.#deploy(file);
    if (!startsItself) await this.#start('p', { ...variables, ...clock?.(Date.now()) });
  }

  async apply(stimulus: Stimulus): Promise<void> {
    switch (stimulus.kind) {
      case 'completeJob': {
        const { executionKey, workflowID } = await this.#oldest('external-jobs?status=PENDING', stimulus.node);
        return void (await this.#send('POST', `/bpmn/external-jobs/${executionKey}/complete`, {
          workflowID,
          variables: stimulus.variables,
          result: stimulus.result,
        }));
      }
      case 'failJob': {
        const { executionKey } = await this.#oldest('external-jobs?status=PENDING', stimulus.node);
        const { errorCode, variables } = stimulus;
        return void (await this.#send('POST', `/bpmn/external-jobs/${executionKey}/error`, {
          errorCode,
          retryable: false,
          variables,
        }));
      }
      case 'completeTask': {
        const { executionKey } = await this.#oldest('user-tasks?status=CREATED', stimulus.node);
        return void (await this.#send('POST', `/bpmn/user-tasks/${executionKey}/complete`, {
          variables: stimulus.variables,
        }));
      }
      case 'failTask': {
        const { executionKey } = await this.#oldest('user-tasks?status=CREATED', stimulus.node);
        return void (await this.#send('POST', `/bpmn/user-tasks/${executionKey}/error`, {
          errorCode: stimulus.errorCode,
        }));
      }
      case 'resolve':
        return this.#resolve(stimulus.node, stimulus.variables);
      case 'message': {
        const { name, key, variables, ttl } = stimulus;
        return this.#publish('/bpmn/messages', {
          messageName: name,
          correlationKeys: key,
          variables,
          ttl: ttl === undefined ? undefined : `${ttl}ms`,
        });
      }
      case 'signal': {
        const { name, variables, ttl } = stimulus;
        return this.#publish('/bpmn/signals', {
          signalName: name,
          variables,
          ttl: ttl === undefined ? undefined : `${ttl}ms`,
        });
      }
      case 'setVariables':
        return void (await this.#send('PUT', `${await this.#firstInstance()}/variables`, {
          variables: stimulus.variables,
        }));
      case 'conditions':
        return void (await this.#send('POST', '/bpmn/conditionals/evaluate', { variables: stimulus.variables }));
      case 'triggerAdHoc':
        return void (await this.#send('POST', `${await this.#firstInstance()}/adhoc/${stimulus.node}/trigger`, {
          nodeID: stimulus.inside,
        }));
      case 'setAdHocVariables':
        return void (await this.#send('POST', `${await this.#firstInstance()}/adhoc/${stimulus.node}/variables`, {
          variables: stimulus.variables,
        }));
      case 'timePasses':
        return delay(0);
      case 'start':
        return this.#start(stimulus.process, stimulus.variables ?? {});
      case 'cancel':
        return this.#cancel(stimulus.process, stimulus.reason);
      case 'migrate':
        return this.#migrate(stimulus);
      case 'refused':
        await expect(this.apply(stimulus.stimulus)).rejects.toThrow(/ answered 4(00|09|13): /);
        return;
      case 'duringPause': {
        const { definition, stimuli } = stimulus;
        const paused =
          definition === undefined
            ? await this.#firstInstance()
            : `/bpmn/definitions/${this.#definitions.get(definition)}`;
        await this.#send('POST', `${paused}/suspend`, {});
        this.#isPaused = true;
        for (const each of stimuli) await this.apply(each);
        this.#isPaused = false;
        return void (await this.#send('POST', `${paused}/resume`));
      }
    }
  }

  async #cancel(process?: string, reason?: string): Promise<void> {
    const query = reason === undefined ? '' : `?reason=${encodeURIComponent(reason)}`;
    await this.#send('DELETE', `${await this.#firstInstance(process)}${query}`);
  }

  async #migrate({ file, mappings = {}, variables }: Extract<Stimulus, { kind: 'migrate' }>): Promise<void> {
    const instance = await this.#firstInstance('p');
    await this.#deploy(file);
    const { body } = await this.#send('GET', '/bpmn/processes/p/versions?pageSize=1');
    await this.#send('POST', `${instance}/migrate`, {
      targetVersion: body.data[0].version,
      elementMappings: Object.entries(mappings).map(([sourceElementID, targetElementID]) => ({
        sourceElementID,
        targetElementID,
      })),
      variables,
    });
  }

  async look(): Promise<Seen[]> {
    return Promise.all((await this.#instances()).map(({ workflowID }) => this.#see(workflowID)));
  }

  async #see(workflowID: string): Promise<Seen> {
    const { body } = await this.#send('GET', `/bpmn/instances/${workflowID}`);
    const history = await this.#list(`/bpmn/instances/${workflowID}/history`);
    const scopes = body.activeScopes as { activeNodes: { [node: string]: number } }[];
    return {
      process: body.processId as string,
      status: body.status as string,
      active: scopes
        .flatMap(({ activeNodes }) => Object.entries(activeNodes).map(([node, count]) => `${node} x${count}`))
        .sort(),
      incidents: (body.incidents as { nodeID: string; errorType: string }[])
        .map(({ nodeID, errorType }) => `${nodeID} ${errorType}`)
        .sort(),
      reasons: reasonsOf([
        ...(body.incidents as { errorMessage: string }[]).map(({ errorMessage }) => errorMessage),
        body.failureReason,
      ]),
      history: historyOf(history as Parameters<typeof historyOf>[0]),
      variables: body.variables as Seen['variables'],
    };
  }

  async #deploy(xml: string): Promise<void> {
    const { body } = await this.#send('POST', '/bpmn/resources', { name: 'model', xml });
    await this.#send('POST', `/bpmn/resources/${body.id}/deploy`);
    const { body: deployed } = await this.#send('GET', `/bpmn/resources/${body.id}`);
    for (const { id, processID } of deployed.processes as { id: string; processID: string }[])
      this.#definitions.set(processID, id);
  }

  async #start(process: string, variables: object): Promise<void> {
    await this.#send('POST', '/bpmn/instances', { processDefinitionID: this.#definitions.get(process), variables });
  }

  async #resolve(node: string, variables?: object): Promise<void> {
    for (const { workflowID } of await this.#instances()) {
      const { body } = await this.#send('GET', `/bpmn/instances/${workflowID}`);
      const open = (body.incidents as { nodeID: string; incidentID: string }[]).find(({ nodeID }) => nodeID === node);
      if (open)
        return void (await this.#send('POST', `/bpmn/instances/${workflowID}/incidents/${open.incidentID}/resolve`, {
          variables,
        }));
    }
    throw new Error(`No open incident at ${node}`);
  }

  /** An activity that runs again after a pause is active before it has its job again. */
  async #oldest(list: string, node: string): Promise<Waiting> {
    const look = async (): Promise<Waiting | undefined> => {
      const waiting = ((await this.#list(`/bpmn/${list}`)) as Waiting[]).filter(({ nodeID }) => nodeID === node);
      return waiting.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || numberOf(a) - numberOf(b))[0];
    };
    return (await eventually(look, (oldest) => oldest !== undefined))!;
  }

  async #firstInstance(process?: string): Promise<string> {
    const first = (await this.#instances()).find(({ processId }) => process === undefined || processId === process);
    if (!first) throw new Error(`No instance of ${process ?? 'any process'} is there`);
    return `/bpmn/instances/${first.workflowID}`;
  }

  async #instances(): Promise<Row[]> {
    return ((await this.#list('/bpmn/instances')) as Row[]).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  async #list(path: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { body } = await this.#send('GET', `${path}${path.includes('?') ? '&' : '?'}pageSize=100&page=${page}`);
      found.push(...(body.data as unknown[]));
      last = body.pagination.totalPages;
    }
    return found;
  }

  /** The player waits for the effect, except during a pause, which must not end before a publication has met it. */
  async #publish(path: string, json: object): Promise<void> {
    await this.#send('POST', path, json, this.#isPaused ? {} : { Prefer: 'wait=0' });
  }

  async #send(...[method, path, json, headers]: Parameters<SendToProject>): ReturnType<SendToProject> {
    const called = await this.#sendToProject(method, path, json, headers);
    if (called.status >= 300)
      throw new Error(`${method} ${path} answered ${called.status}: ${JSON.stringify(called.body)}`);
    return called;
  }
}

/** The part of an execution key that counts within its instance. */
function numberOf({ executionKey }: Waiting): number {
  return Number(executionKey.slice(executionKey.lastIndexOf(':') + 1));
}
