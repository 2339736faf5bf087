/** Starts and signals the workflows of instances. */
import { createHash } from 'node:crypto';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { GraphCache } from '../store/definitions/graph-cache.js';
import { MAX_INLINE_COMMAND_BYTES } from '../store/instances/commands.js';
import type { InstanceToStart } from '../store/instances/start.js';
import { ordinaryProjectOf } from '../store/projects/tests.js';
import { STORED_BY_START } from '../store/steps/stored-payloads.js';
import { owning } from './payload-owner.js';
import type { CommandMessage } from '@perdure/engine/contract/commands.js';
import {
  COMMAND_SIGNAL,
  MAX_INLINE_GRAPH_BYTES,
  PROCESS_INSTANCE,
  SEARCH_ATTRIBUTES,
  WAKE_SIGNAL,
  type CarriedInstance,
  type ProcessInstanceInput,
} from '../workflows/messages.js';

export interface TemporalInstancesOptions {
  client: Client;
  taskQueue: string;
  graphs: GraphCache;
  maxRotations: number;
  /** Names of the search attributes that the namespace supports; others are omitted. */
  searchAttributes: ReadonlySet<string>;
  /**
   * A worker of this process shares the client's connection, so the server can assign it the first task immediately.
   */
  eagerStart: boolean;
}

/** A call that takes longer is abandoned, and the outbox relay repeats it. */
const CALL_TIMEOUT_MS = 5_000;
/** The limit of Temporal's own tables. */
const MAX_SEARCH_ATTRIBUTE_LENGTH = 255;
/** The server allows 400 bytes. */
const MAX_SUMMARY_BYTES = 400;
/** The server's limit. */
const MAX_FAIRNESS_KEY_BYTES = 64;
/** gRPC status code. */
const INVALID_ARGUMENT = 3;

export class TemporalInstances {
  constructor(private readonly options: TemporalInstancesOptions) {}

  /**
   * Starts the workflow of a written instance. A workflow that was started before is left unchanged.
   * @param carried the state of an imported instance, from its rows
   * @returns false when Temporal has a closed workflow with this id
   * @throws when Temporal or the store does not respond
   */
  async start(instance: InstanceToStart, carried?: CarriedInstance): Promise<boolean> {
    try {
      await this.startFirst(instance, 'REJECT_DUPLICATE', carried);
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return this.runs(instance.workflowID);
    }
  }

  /**
   * Starts the workflow of a written instance even if a closed workflow has its id.
   * @throws when Temporal or the store does not respond
   */
  async startAnew(instance: InstanceToStart, carried?: CarriedInstance): Promise<void> {
    try {
      await this.startFirst(instance, 'ALLOW_DUPLICATE', carried);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /**
   * Starts the workflow of an instance from its current state, as a rotation does. Replaces an existing workflow.
   * The last of `runsBefore` is the name under which the input is stored if it is large.
   * @throws when Temporal or the store does not respond, or the state exceeds the input limit of a workflow
   */
  async startFrom(instance: Omit<InstanceToStart, 'start'>, carried: CarriedInstance): Promise<void> {
    const hasIncident = Object.keys(carried.state.incidents).length > 0;
    await this.startWorkflow(
      instance,
      { ...(await this.inputOf(instance)), carried },
      {
        typedSearchAttributes: this.searchAttributesOf(instance, hasIncident),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      },
    );
  }

  /**
   * Terminates the open workflow of an instance, if there is one.
   * @throws when Temporal does not respond
   */
  async end(workflowID: string, reason: string): Promise<void> {
    try {
      await this.inTime(() => this.options.client.workflow.getHandle(workflowID).terminate(reason));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /**
   * Signals an instance about a written command.
   * @returns false when Temporal has no running workflow for it, either not yet or no longer
   * @throws when Temporal does not respond
   */
  async signal(workflowID: string, command: CommandMessage): Promise<boolean> {
    try {
      await this.inTime(() =>
        this.options.client.workflow.getHandle(workflowID).signal(COMMAND_SIGNAL, toMessage(command)),
      );
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /**
   * Makes a paused instance check whether it can resume. Does nothing for an ended instance.
   * @param refusal the refused step commit after which the instance waits
   * @throws when Temporal does not respond
   */
  async wake(workflowID: string, refusal: string): Promise<void> {
    try {
      await this.inTime(() => this.options.client.workflow.getHandle(workflowID).signal(WAKE_SIGNAL, refusal));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  private async startFirst(
    instance: InstanceToStart,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE',
    carried?: CarriedInstance,
  ): Promise<void> {
    const hasIncident = carried !== undefined && Object.keys(carried.state.incidents).length > 0;
    await this.startWorkflow(
      instance,
      { ...(await this.inputOf(instance)), ...(carried ? { carried } : { start: instance.start }) },
      {
        typedSearchAttributes: this.searchAttributesOf(instance, hasIncident),
        workflowIdReusePolicy,
        ...(this.options.eagerStart && { requestEagerStart: true }),
      },
    );
  }

  private async runs(workflowID: string): Promise<boolean> {
    const { status } = await this.inTime(() => this.options.client.workflow.getHandle(workflowID).describe());
    return status.name === 'RUNNING' || status.name === 'PAUSED';
  }

  private async startWorkflow(
    instance: Omit<InstanceToStart, 'start'>,
    input: ProcessInstanceInput,
    options: Partial<WorkflowStartOptions>,
  ): Promise<void> {
    const { client, taskQueue } = this.options;
    const { workflowID } = instance;
    const storedBy = input.carried?.runsBefore?.at(-1) ?? STORED_BY_START;
    await this.inTime(() =>
      owning({ workflowID, storedBy }, () =>
        client.workflow.start(PROCESS_INSTANCE, {
          workflowId: workflowID,
          taskQueue,
          args: [input],
          staticSummary: summaryOf(instance),
          priority: { fairnessKey: fairnessKeyOf(instance.projectID) },
          ...options,
        }),
      ),
    );
  }

  private async inputOf(instance: Omit<InstanceToStart, 'start'>): Promise<ProcessInstanceInput> {
    const { graph, bytes } = await this.options.graphs.get(instance.graphSha256);
    return {
      projectID: instance.projectID,
      definitionID: instance.definitionID,
      graphSha256: instance.graphSha256,
      ...(bytes < MAX_INLINE_GRAPH_BYTES && { graph }),
      maxRotations: this.options.maxRotations,
      searchAttributes: this.knows(SEARCH_ATTRIBUTES.incident.name),
    };
  }

  private searchAttributesOf(instance: Omit<InstanceToStart, 'start'>, hasIncident: boolean): SearchAttributePair[] {
    const { project, process, businessID, parent, incident } = SEARCH_ATTRIBUTES;
    const pairs: SearchAttributePair[] = [
      { key: project, value: instance.projectID },
      { key: process, value: instance.processID },
    ];
    if (hasIncident) pairs.push({ key: incident, value: true });
    if (instance.businessID !== undefined) pairs.push({ key: businessID, value: instance.businessID });
    if (instance.parentWorkflowID !== undefined) pairs.push({ key: parent, value: instance.parentWorkflowID });
    return pairs.filter(({ key }) => this.knows(key.name)).map(shorten);
  }

  private knows(searchAttribute: string): boolean {
    return this.options.searchAttributes.has(searchAttribute);
  }

  private inTime<T>(work: () => Promise<T>): Promise<T> {
    return this.options.client.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);
  }
}

function shorten(pair: SearchAttributePair): SearchAttributePair {
  return pair.key.type === 'KEYWORD'
    ? { key: pair.key, value: String(pair.value).slice(0, MAX_SEARCH_ATTRIBUTE_LENGTH) }
    : pair;
}

/** The argument of a command signal: the command, or a reference if it is large. */
export function toMessage(command: CommandMessage): CommandMessage {
  const bytes = Buffer.byteLength(JSON.stringify(command));
  return bytes > MAX_INLINE_COMMAND_BYTES
    ? { number: command.number, reference: true, bytes, kind: command.kind }
    : command;
}

/**
 * The key by which Temporal serves projects in turn, if the server has it switched on (1.29 or later); see
 * `docs/operations/topology.md`. All workflow tasks of an instance have it, also those of later runs.
 */
export function fairnessKeyOf(projectID: string): string {
  const key = ordinaryProjectOf(projectID);
  return Buffer.byteLength(key) <= MAX_FAIRNESS_KEY_BYTES ? key : createHash('sha256').update(key).digest('base64url');
}

/** The text next to the instance in the Temporal UI. */
function summaryOf({ processName, processID, version, businessID }: Omit<InstanceToStart, 'start'>): string {
  const summary = `${processName ?? processID}, version ${version}${businessID === undefined ? '' : `, ${businessID}`}`;
  // Cutting can split a character, and decoding replaces it with up to three bytes.
  return Buffer.byteLength(summary) <= MAX_SUMMARY_BYTES
    ? summary
    : Buffer.from(summary)
        .subarray(0, MAX_SUMMARY_BYTES - 3)
        .toString();
}

/** Whether Temporal refuses a request as too large or too long, so that retrying cannot help. */
export function isRefusedForGood(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: number; message?: string } };
  return cause?.code === INVALID_ARGUMENT && /exceeds .*limit/i.test(cause.message ?? '');
}
