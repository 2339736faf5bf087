/** The events that the facts of a step are, in the order of the facts. */
import {
  DEFAULT_TASK_PRIORITY,
  unfolded,
  type Fact,
  type FactKind,
  type FactOf,
} from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { executionKey } from '../sql/ids.js';
import { storableText } from '../sql/text.js';
import type { StepChanges } from '../steps/project.js';
import type { EventType } from './types.js';

/** An event as the statement reads it. */
export interface StepEvent {
  type: EventType;
  subject: string;
  /** Whose actor and reason it has: the command that caused it. */
  command?: number | undefined;
  /** The user task, if it was created in an earlier step: its row has the rest. */
  task?: number;
  /** The incident, if it was raised in an earlier step. */
  incident?: number;
  data: Readonly<Record<string, string | number | undefined>>;
}

interface Step {
  commit: StepCommit;
  changes: StepChanges;
  /** Position of the fact. */
  index: number;
}

const MAX_REASON_LENGTH = 1_000;

const tellers: { readonly [K in FactKind]?: (fact: FactOf<K>, step: Step) => StepEvent | undefined } = {
  INSTANCE_COMPLETED: (_fact, { commit }) => ofInstance(commit, 'instance.completed', { status: 'COMPLETED' }),
  INSTANCE_FAILED: ({ reason }, { commit }) =>
    ofInstance(commit, 'instance.failed', { status: 'FAILED', failureReason: bounded(reason) }),
  INSTANCE_CANCELED: ({ reason }, step) => ({
    ...ofInstance(step.commit, 'instance.canceled', { status: 'CANCELED', reason: bounded(reason) }),
    command: causeOf(step),
  }),
  INSTANCE_MIGRATED: (_fact, step) => ({
    ...ofInstance(step.commit, 'instance.migrated', { status: 'RUNNING' }),
    command: causeOf(step),
  }),
  INCIDENT_RAISED: ({ incident }, step) => ({
    ...ofIncident(step, 'incident.raised', incident),
    ...raisedIncident(step, incident),
  }),
  INCIDENT_RESOLVED: ({ incident }, step) => {
    const resolved = ofIncident(step, 'incident.resolved', incident);
    return step.changes.incidentsRaised.has(incident)
      ? { ...resolved, ...raisedIncident(step, incident) }
      : { ...resolved, incident };
  },
  USER_TASK_CREATED: ({ task }, step) => ofTask(step, 'task.created', task),
  USER_TASK_CHANGED: ({ task, decided }, step) =>
    decided || step.changes.userTasksEnded.has(task) ? undefined : ofTask(step, 'task.assigned', task),
  USER_TASK_COMPLETED: ({ task }, step) => ofTask(step, 'task.completed', task),
  USER_TASK_FAILED: ({ task }, step) => ofTask(step, 'task.failed', task),
  USER_TASK_CANCELED: ({ task }, step) => ofTask(step, 'task.canceled', task),
};

export function eventsOfStep(commit: StepCommit, changes: StepChanges): StepEvent[] {
  return unfolded(commit.facts).flatMap((fact, index) => {
    const tell = tellers[fact.kind] as ((fact: Fact, step: Step) => StepEvent | undefined) | undefined;
    return tell?.(fact, { commit, changes, index }) ?? [];
  });
}

function ofInstance({ workflowID }: StepCommit, type: EventType, data: StepEvent['data']): StepEvent {
  return { type, subject: workflowID, data };
}

function ofIncident({ commit }: Step, type: EventType, incident: number): StepEvent {
  return { type, subject: executionKey(commit.workflowID, incident), data: {} };
}

function raisedIncident({ commit, changes }: Step, incident: number): Pick<StepEvent, 'data'> {
  const { node, errorType, errorCode, previous } = changes.incidentsRaised.get(incident)!;
  return {
    data: {
      nodeID: node,
      errorType,
      errorCode: bounded(errorCode),
      previousIncidentID: previous === undefined ? undefined : executionKey(commit.workflowID, previous),
    },
  };
}

function ofTask({ commit, changes }: Step, type: EventType, task: number): StepEvent {
  const event = { type, subject: executionKey(commit.workflowID, task) };
  const created = changes.userTasksCreated.get(task);
  if (!created) return { ...event, task, data: {} };
  const { node, assignee, dueDate, priority = DEFAULT_TASK_PRIORITY } = created;
  return {
    ...event,
    data: {
      nodeID: node,
      assignee: bounded(assignee),
      dueDate: dueDate === undefined ? undefined : new Date(dueDate).toISOString(),
      priority,
    },
  };
}

/** A command is marked as handled right after its own facts. An end from outside marks all of them first. */
function causeOf({ commit, index }: Step): number {
  const next = commit.facts.slice(index).find((fact) => fact.kind === 'COMMAND_HANDLED');
  return next?.number ?? commit.inputs.lastCommand;
}

function bounded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : storableText(text.slice(0, MAX_REASON_LENGTH));
}
