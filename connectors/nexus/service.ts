/**
 * The Nexus service `perdure` at one endpoint. Its operations are those of the API, with the rights that the configuration
 * gives to the endpoint.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import { operationInfo, startWorkflow, WorkflowRunOperationHandler } from '@temporalio/nexus';
import {
  HandlerError,
  operation,
  service,
  serviceHandler,
  type OperationHandler,
  type StartOperationContext,
} from 'nexus-rpc';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { nexusQueueOf, runsQueueOf } from '../temporal/configuration.js';
import { unreadableReason } from '../temporal/foreign-codec.js';
import type { perdureRun } from '../temporal/runner/run.js';
import { RUN_PROCESS, runID, type RunToAwait } from '../temporal/runner/run-messages.js';
import type { NexusOptions, OperationRequest } from './options.js';
import { refusalOf } from './refusals.js';
import { repeatedUntil } from './repeats.js';

interface Published {
  publicationID: string;
  state: string;
}

const perdure = service('perdure', {
  startProcess: operation<Json, { workflowID: string }>(),
  runProcess: operation<Json, Variables>(),
  publishMessage: operation<Json, Published>(),
  publishSignal: operation<Json, Published>(),
});

export function perdureService(options: NexusOptions, endpoint: string, projectID: string) {
  const called = new CalledEndpoint(options, endpoint, projectID);
  return serviceHandler(perdure, {
    startProcess: async (context, input) => ({ workflowID: await called.start(context, input) }),
    runProcess: runProcess(called),
    publishMessage: (context, input) => called.publish(context, 'PublishBpmnMessage', input),
    publishSignal: (context, input) => called.publish(context, 'PublishBpmnSignal', input),
  });
}

class CalledEndpoint {
  constructor(
    readonly options: Pick<NexusOptions, 'call' | 'taskQueue'>,
    readonly endpoint: string,
    readonly projectID: string,
  ) {}

  /** @returns the id of the instance. @throws HandlerError */
  async start(context: StartOperationContext, input: Json): Promise<string> {
    return (await this.#call<{ workflowID: string }>(context, 'StartBpmnInstance', input)).workflowID;
  }

  async publish(
    context: StartOperationContext,
    operationID: 'PublishBpmnMessage' | 'PublishBpmnSignal',
    input: Json,
  ): Promise<Published> {
    const { publicationID, state } = await this.#call<Published>(context, operationID, input);
    return { publicationID, state };
  }

  /** The task queue says which endpoint is called, and newer servers say it as well. */
  check(): void {
    const { endpoint } = operationInfo();
    if (endpoint === '' || endpoint === this.endpoint) return;
    throw new HandlerError(
      'NOT_FOUND',
      `Endpoint ${endpoint} may not use the task queue of endpoint ${this.endpoint}. Name it in NEXUS_ALLOW, and let it use ${nexusQueueOf(endpoint)}.`,
    );
  }

  async #call<Body>(
    context: StartOperationContext,
    operationID: OperationRequest['operationID'],
    body: Json,
  ): Promise<Body> {
    this.check();
    const reason = unreadableReason(body);
    if (reason !== undefined)
      throw new HandlerError(
        'BAD_REQUEST',
        `The input cannot be read as JSON: ${reason}. If its sender encrypts, set TEMPORAL_TASKS_CODEC.`,
      );
    const { endpoint, projectID } = this;
    const { requestId: requestID, abortSignal: signal } = context;
    const request = { endpoint, projectID, operationID, body, requestID, signal };
    const answer = await this.options.call({ ...request, repeatedUntil: repeatedUntil(context, Date.now()) });
    if (answer.kind === 'done') return answer.body as Body;
    throw refusalOf(answer);
  }
}

function runProcess(called: CalledEndpoint): OperationHandler<Json, Variables> {
  const { endpoint, projectID, options } = called;
  const running = new WorkflowRunOperationHandler<Json, Variables>(async (context, input) => {
    const workflowID = await called.start(context, input);
    const { fetchVariables } = input as Pick<RunToAwait, 'fetchVariables'>;
    const run: RunToAwait = { endpoint, projectID, workflowID, ...(fetchVariables && { fetchVariables }) };
    return startWorkflow<typeof perdureRun>(context, RUN_PROCESS, {
      workflowId: runID(endpoint, workflowID),
      taskQueue: runsQueueOf(options.taskQueue),
      args: [run],
      staticSummary: `Waits for instance ${workflowID}`,
      // Another attempt of the same request.
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  });
  return {
    start: (context, input) => running.start(context, input),
    async cancel(context, token) {
      called.check();
      if (!workflowOf(token)?.startsWith(runID(endpoint, '')))
        throw new HandlerError('NOT_FOUND', `Endpoint ${endpoint} runs no such operation.`);
      await running.cancel(context, token).catch(ignoreEnded);
    },
  };
}

/** The workflow that a token of an operation names. */
function workflowOf(token: string): string | undefined {
  try {
    const { wid } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { wid?: unknown };
    return typeof wid === 'string' ? wid : undefined;
  } catch {
    return undefined;
  }
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
