/**
 * The protocol between the host and the workflow of an instance: names, input and signals. The API and the outbox relay
 * import only this file of the workflow.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import type { CommandReference, StartInput } from '@perdure/engine/contract/commands.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import type { State } from '@perdure/engine/state/state.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';

/** Workflow type of every process instance. Its Temporal workflow id is the instance's `workflowID`. */
export const PROCESS_INSTANCE = 'processInstance';

/** Workflow type of one tick of a timer that starts a process. */
export const START_BY_TIMER = 'startByTimer';

/** Name of the signal that carries a command; its argument is a `CommandMessage`. */
export const COMMAND_SIGNAL = 'command';

/**
 * Name of the signal that makes a paused instance check whether it may continue. Its argument is the refusal that it
 * revokes (`paused` in `CommitResult`).
 */
export const WAKE_SIGNAL = 'wake';

/** Graphs with shorter JSON are part of the workflow's input; others cost the history one more event. */
export const MAX_INLINE_GRAPH_BYTES = 16 * 1024;

export interface ProcessInstanceInput {
  projectID: string;
  definitionID: string;
  /** Content address of the compiled graph. */
  graphSha256: string;
  /** The graph itself if it is small. */
  graph?: Graph;
  /** Number of rotations before an incident replaces the next one. */
  maxRotations: number;
  /** Whether the namespace knows `BpmnIncident`; setting an unknown search attribute would wedge the workflow. */
  searchAttributes: boolean;
  /** How the instance starts; absent once it has started. */
  start?: StartInput;
  /** In later runs: the state carried over from the previous run. */
  carried?: CarriedInstance;
}

/** The state that one run of an instance passes to the next. */
export interface CarriedInstance {
  state: State;
  /** Number of the last step commit. */
  stepNumber: number;
  /**
   * Names under which the last of the preceding runs have stored large values, oldest first. The last one stored this
   * input; what the others stored is no longer needed once this run has begun.
   */
  runsBefore?: readonly string[];
  /** Commands that were delivered and not handled yet. */
  inbox: CommandReference[];
  /** Trace context of the start. */
  traceContext?: TraceContext;
  /** The first run of an imported instance. */
  imported?: true;
  /** The instance was paused when the previous run last tried to continue. */
  paused?: true;
  /** A cancellation was requested in Temporal, and the store does not know about it yet. */
  cancelRequested?: true;
}

/**
 * Search attributes for people in the Temporal UI; Perdure does not read them. The attribute for open incidents is set
 * once the first incident opens. How an instance ended is shown by Temporal's own execution status.
 */
export const SEARCH_ATTRIBUTES = {
  project: defineSearchAttributeKey('BpmnProject', 'KEYWORD'),
  process: defineSearchAttributeKey('BpmnProcess', 'KEYWORD'),
  businessID: defineSearchAttributeKey('BpmnBusinessId', 'KEYWORD'),
  incident: defineSearchAttributeKey('BpmnIncident', 'BOOL'),
  parent: defineSearchAttributeKey('BpmnParent', 'KEYWORD'),
} as const;
