/**
 * What travels between the host and the workflow of an instance: names, input and signals. The API and the
 * dispatcher import this file and nothing else of the workflow.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Command, CommandReference, StartInput } from '../engine/commands.js';
import type { Graph } from '../engine/graph.js';
import type { State } from '../engine/state.js';
import type { TraceContext } from '../engine/trace-context.js';

/** Workflow type of every process instance. Its Temporal workflow id is the instance's `workflowID`. */
export const PROCESS_INSTANCE = 'processInstance';

/** Workflow type of one tick of a timer that starts a process. */
export const START_BY_TIMER = 'startByTimer';

/** Workflow type of a migration of many instances. */
export const MIGRATE_INSTANCES = 'migrateInstances';

/** Name of the signal that brings a command; its argument is a `CommandMessage`. */
export const COMMAND_SIGNAL = 'command';

/** Name of the signal, without an argument, that tells a paused instance to look whether it may go on. */
export const WAKE_SIGNAL = 'wake';

/** Commands whose JSON is longer travel as a reference: large signals overflow the server's event buffer, and their rows have them anyway. */
export const LARGEST_SIGNAL_BYTES = 64 * 1024;

/** Graphs whose JSON is shorter ride in the workflow's input; others cost the history one event more. */
export const LARGEST_INLINE_GRAPH_BYTES = 16 * 1024;

export interface ProcessInstanceInput {
  projectID: string;
  definitionID: string;
  /** Content address of the compiled graph. */
  graphSha256: string;
  /** The graph itself when it is small. */
  graph?: Graph;
  /** How many rotations happen before an incident stands in place of the next. */
  maxRotations: number;
  /** Whether the namespace knows `BpmnIncident`; setting an unknown search attribute would wedge the workflow. */
  searchAttributes: boolean;
  /** How the instance begins; absent once it has begun. */
  start?: StartInput;
  /** Every later run: what the run before carried over. */
  carried?: CarriedInstance;
}

/** What one run of an instance hands to the next. */
export interface CarriedInstance {
  state: State;
  /** Number of the last park written. */
  parkNumber: number;
  /** Commands that were delivered and not handled yet. */
  inbox: CommandReference[];
  /** Of the start. */
  traceContext?: TraceContext;
  /** The instance was paused when the run before last tried to go on. */
  paused?: true;
  /** Somebody has asked Temporal to cancel the workflow, and the store does not know of it yet. */
  cancelRequested?: true;
}

/** An instance whose row is written and whose workflow is to be started. */
export interface InstanceToStart {
  workflowID: string;
  projectID: string;
  definitionID: string;
  processID: string;
  processName?: string | undefined;
  version: number;
  businessID?: string | undefined;
  parentWorkflowID?: string | undefined;
  graphSha256: string;
  start: StartInput;
}

/**
 * Hands written rows to Temporal. Both calls may be repeated. They never reject: what does not arrive is sent
 * again by the dispatcher.
 */
export interface InstanceStarter {
  start(instance: InstanceToStart): Promise<void>;
  /** @param lingeringWorker the worker whose step commit waits for a command of this instance just now, if there is one */
  deliver(workflowID: string, command: Command, lingeringWorker?: string): Promise<void>;
}

/**
 * Search attributes for people in the Temporal UI; nothing of ours reads them. Whether an instance has an open incident is
 * said once the first one opens; how an instance ended is Temporal's own execution status.
 */
export const SEARCH_ATTRIBUTES = {
  project: defineSearchAttributeKey('BpmnProject', 'KEYWORD'),
  process: defineSearchAttributeKey('BpmnProcess', 'KEYWORD'),
  businessID: defineSearchAttributeKey('BpmnBusinessId', 'KEYWORD'),
  incident: defineSearchAttributeKey('BpmnIncident', 'BOOL'),
  parent: defineSearchAttributeKey('BpmnParent', 'KEYWORD'),
} as const;
