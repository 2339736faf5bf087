/** Listeners in a model: BPMN has none, the extension elements are those of Camunda 8. */
import type { ListenerEvent, TaskListenerEvent } from '../../contract/facts.js';
import type { Compiler, SourceElement, SourceExtension } from '../../model/source.js';
import { taskEventOf, TASK_EVENTS } from './task-events.js';
import { compileJobPriority } from '../data/job-options.js';
import { compileShortText } from '../data/short-text.js';
import { compileHeaders, compileRetries, DEFAULT_RETRIES, type JobDefinition } from '../waiting/jobs.js';

/** The jobs of each event, in the order in which they run. */
export type ExecutionListeners = { [event in ListenerEvent]?: JobDefinition[] };

/** The jobs of each event of a user task, in the order in which they run. */
export type TaskListeners = { [event in TaskListenerEvent]?: JobDefinition[] };

const EVENTS = ['start', 'end'] as const satisfies readonly ListenerEvent[];

/** Reads `executionListeners`; the package `bpmn` has checked them. */
export function compileListeners(source: SourceElement, compiler: Compiler): { listeners?: ExecutionListeners } {
  const listeners = compileJobs(source, 'executionListener', EVENTS, (event) => event, compiler);
  return listeners ? { listeners } : {};
}

/** Reads `taskListeners`; the package `bpmn` has checked them. */
export function compileTaskListeners(source: SourceElement, compiler: Compiler): { taskListeners?: TaskListeners } {
  const taskListeners = compileJobs(source, 'taskListener', TASK_EVENTS, taskEventOf, compiler);
  return taskListeners ? { taskListeners } : {};
}

function compileJobs<Event extends string>(
  source: SourceElement,
  name: 'executionListener' | 'taskListener',
  events: readonly Event[],
  eventOf: (given: string) => string,
  compiler: Compiler,
): { [event in Event]?: JobDefinition[] } | undefined {
  const given = source.extension(`${name}s`)?.children(name) ?? [];
  const listeners: { [event in Event]?: JobDefinition[] } = {};
  for (const event of events) {
    const jobs = given.filter((listener) => eventOf(listener.attribute('eventType') ?? '') === event);
    if (jobs.length > 0) listeners[event] = jobs.map((listener) => compileListener(source, listener, compiler));
  }
  return Object.keys(listeners).length > 0 ? listeners : undefined;
}

/** A header of the listener goes before one of the element with the same key. */
function compileListener(source: SourceElement, listener: SourceExtension, compiler: Compiler): JobDefinition {
  const priority = compileJobPriority(source, compiler);
  const own = compileHeaders(source, listener.children('taskHeaders')[0], compiler);
  const ofElement = compileHeaders(source, source.extension('taskHeaders'), compiler);
  return {
    type: compileShortText(source, listener.attribute('type') ?? '', 'listener type', compiler),
    retries: compileRetries(source, listener.attribute('retries') ?? DEFAULT_RETRIES, 'listener retries', compiler),
    ...(priority && { priority }),
    ...((ofElement ?? own) && { headers: { ...ofElement, ...own } }),
  };
}
