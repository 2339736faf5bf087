/** Snapshot of an instance for the message of a failed expectation. */
import type { FactOf } from '@perdure/engine/contract/facts.js';
import type { Wait } from '@perdure/engine/state/state.js';
import { ROOT } from '@perdure/engine/state/state.js';
import type { MemoryHost, MemoryInstance } from './memory-host.js';

const MAX_VARIABLES_LENGTH = 500;

export function describeInstance(host: MemoryHost, instance: MemoryInstance): string {
  const { model, state } = instance;
  const lines = [
    `${model.graph.processID} (${instance.workflowID}) is ${state.status} at ${new Date(host.now).toISOString()}`,
    ...(state.failureReason === undefined ? [] : [`  because: ${state.failureReason}`]),
    ...Object.values(state.waits).map(
      (wait) => `  waits at ${label(instance, wait.node)} for ${whatFor(host, instance, wait)}`,
    ),
    ...host
      .incidents(instance)
      .map(
        ({ element, node, errorType, message }) =>
          `  incident at ${element === ROOT ? 'the process' : label(instance, node)}: ${errorType}: ${message}`,
      ),
    `  variables: ${shorten(JSON.stringify(host.variables(instance)))}`,
    `  completed: ${
      host
        .completed(instance)
        .filter((node) => node !== model.root.id)
        .join(', ') || 'nothing'
    }`,
  ];
  return lines.join('\n');
}

/** The id of an element and its name, if it has one. */
export function label({ model }: MemoryInstance, elementID: string): string {
  const name = model.find(elementID)?.name;
  return name ? `${elementID} "${name}"` : elementID;
}

function whatFor(host: MemoryHost, instance: MemoryInstance, wait: Wait): string {
  switch (wait.kind) {
    case 'job': {
      const job = host
        .facts(instance)
        .find((fact): fact is FactOf<'JOB_CREATED'> => fact.kind === 'JOB_CREATED' && fact.job === wait.id);
      return `a job of type ${job?.taskType}`;
    }
    case 'userTask':
      return 'a person';
    case 'timer':
      return `the time ${new Date(wait.due).toISOString()}`;
    case 'child':
      return `the instance ${wait.workflowID}`;
    case 'subscription':
      return `the ${wait.type} ${wait.name}${wait.correlation === undefined ? '' : `, correlation ${JSON.stringify(wait.correlation)}`}`;
    case 'condition':
      return 'its condition';
    case 'decision':
      return 'a decision';
  }
}

function shorten(text: string): string {
  return text.length <= MAX_VARIABLES_LENGTH
    ? text
    : `${text.slice(0, MAX_VARIABLES_LENGTH)}... (${text.length} characters)`;
}
