/**
 * A running instance of another system, as it is handed over: where its tokens are, and what they know. Instants are ISO
 * 8601 texts with a zone. Optional members may be undefined, because the contract is read from requests.
 */
import type { Json, Variables } from './json.js';

/** Tokens of an instance and of everything that it calls. */
export const MAX_IMPORTED_TOKENS = 10_000;

export interface ImportedInstance {
  source: ImportSource;
  businessId?: string | undefined;
  createdAt?: string | undefined;
  startedBy?: string | undefined;
  variables: Variables;
  scopes?: ImportedScope[] | undefined;
  tokens: ImportedToken[];
}

/** Names the instance in the system that it comes from. */
export interface ImportSource {
  system: string;
  id: string;
}

/** An active sub-process, event sub-process or ad-hoc sub-process. */
export interface ImportedScope {
  key: string;
  /** Absent: the process. */
  parent?: string | undefined;
  nodeID: string;
  variables?: Variables | undefined;
  multiInstance?: ImportedLoop | undefined;
  listening?: ImportedListener[] | undefined;
}

export interface ImportedToken {
  nodeID: string;
  /** Absent: the process. */
  scopeKey?: string | undefined;
  /** Local to the node. */
  variables?: Variables | undefined;
  multiInstance?: ImportedLoop | undefined;
  /** Of a join: the flows whose tokens have arrived. */
  arrived?: string[] | undefined;
  listening?: ImportedListener[] | undefined;
  dueAt?: string | undefined;
  repeats?: number | undefined;
  retries?: number | undefined;
  incident?: { type: string; message: string } | undefined;
  task?: ImportedTask | undefined;
}

/** An open instance of a multi-instance activity or loop. */
export interface ImportedLoop {
  /** From 0. */
  index: number;
  /** On the first of them: all items. */
  items?: Json[] | undefined;
  completed: number;
  /** The collected outputs, by index; null for missing ones. */
  outputs?: Json[] | undefined;
}

/** A boundary event, or the start event of an event sub-process. */
export interface ImportedListener {
  nodeID: string;
  dueAt?: string | undefined;
  repeats?: number | undefined;
}

/** The members of a user task that replace those of its model. */
export interface ImportedTask {
  assignee?: string | undefined;
  candidateUsers?: string[] | undefined;
  candidateGroups?: string[] | undefined;
  dueDate?: string | undefined;
  followUpDate?: string | undefined;
  priority?: number | undefined;
  createdAt?: string | undefined;
}

/** A reason against an import. `path` is that of the value, such as `tokens[3].scopeKey`. */
export interface ImportIssue {
  path: string;
  tokenIndex?: number;
  nodeID?: string;
  message: string;
}
