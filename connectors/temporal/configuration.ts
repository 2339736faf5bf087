/** Variables of tasks that run on Temporal, and of the service that Temporal's workflows call. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { oneOf, type Kind } from '@perdure/configuration/kinds.js';
import { variable, type Environment, type ValuesOf } from '@perdure/configuration/variable.js';

const permissions = z.strictObject({
  taskQueues: z.array(z.string().min(1)).default([]),
  endpoints: z.array(z.string().min(1)).default([]),
});
const schema = z.record(z.string(), permissions);

/** Task queues and endpoints that the tasks of each project may use. */
export type TemporalTasksAllowed = z.output<typeof schema>;

/** As Temporal names endpoints. */
const served = z.record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9-]{0,198}[a-zA-Z0-9]$/), z.string().min(1));

/** The project of each Nexus endpoint whose callers Perdure serves. */
export type NexusServed = z.output<typeof served>;

/** JSON itself, or the path of a file with it. */
function jsonOrFile<Value>(content: z.ZodType<Value>, example: string): Kind<Value> {
  const json = z.string().transform((given, context) => {
    try {
      return JSON.parse(/^\s*\{/.test(given) ? given : readFileSync(given, 'utf8')) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  });
  return {
    schema: json.pipe(content) as z.ZodType<Value, string>,
    expected: `JSON such as ${example}, or the path of a file with it`,
  };
}

export const temporalTasksSection = {
  title: 'Tasks on Temporal, and Nexus',
  variables: {
    TEMPORAL_TASKS_ALLOW: variable({
      kind: jsonOrFile(schema, '{"shop": {"taskQueues": ["payments"], "endpoints": ["bank"]}}'),
      roles: ['connectors'],
      description:
        'Task queues and Nexus endpoints that [tasks on Temporal](how-to/run-a-task-on-temporal.md) of each project may use. Anything else is refused.',
    }),
    NEXUS_ALLOW: variable({
      kind: jsonOrFile(served, '{"shop-processes": "shop"}'),
      roles: ['worker'],
      description:
        'Nexus endpoints and their projects. Callers of such an endpoint can [start processes](how-to/call-a-process-by-nexus.md) of the project and publish messages to it, without a token.',
    }),
    TEMPORAL_TASKS_CODEC: variable({
      kind: oneOf(['plain', 'shared']),
      roles: ['worker', 'connectors'],
      defaultInWords: '`plain` without payload keys; with them it must be set',
      description:
        'Whether the workers of these tasks, and the callers of Nexus, know the keys of [TEMPORAL_PAYLOAD_KEYS](operations/encryption.md) (`shared`) or not (`plain`).',
    }),
  },
};

type Values = ValuesOf<(typeof temporalTasksSection)['variables']>;

export interface TemporalTasksConfiguration {
  readonly allowed: TemporalTasksAllowed;
  readonly served: NexusServed;
  /** Whether the workers of others know our payload keys. */
  readonly sharesKeys: boolean;
}

export function toTemporalTasks(values: Values): TemporalTasksConfiguration {
  return {
    allowed: values.TEMPORAL_TASKS_ALLOW ?? {},
    served: values.NEXUS_ALLOW ?? {},
    sharesKeys: values.TEMPORAL_TASKS_CODEC === 'shared',
  };
}

/** The task queue of the workflows that run tasks. */
export function runnerQueueOf(taskQueue: string): string {
  return `${taskQueue}-tasks`;
}

/** The task queue of the workflows that wait for processes which Nexus runs. */
export function runsQueueOf(taskQueue: string): string {
  return `${taskQueue}-runs`;
}

/** The task queue of the requests to a Nexus endpoint. */
export function nexusQueueOf(endpoint: string): string {
  return `${NEXUS_QUEUE}${endpoint}`;
}

const NEXUS_QUEUE = 'perdure-nexus-';

function isOwn(taskQueue: string, queue: string): boolean {
  const own = [taskQueue, runnerQueueOf(taskQueue), runsQueueOf(taskQueue)];
  return own.includes(queue) || queue.startsWith(NEXUS_QUEUE);
}

export function problemsOfTemporalTasks(
  environment: Environment,
  values: Partial<Values & { TEMPORAL_TASK_QUEUE: string }>,
): string[] {
  return [...problemsOfQueues(values), ...problemsOfCodec(environment, values)];
}

function problemsOfQueues({
  TEMPORAL_TASKS_ALLOW: given = {},
  TEMPORAL_TASK_QUEUE: taskQueue = '',
}: Partial<Values & { TEMPORAL_TASK_QUEUE: string }>): string[] {
  return Object.entries(given).flatMap(([projectID, { taskQueues }]) =>
    taskQueues
      .filter((queue) => isOwn(taskQueue, queue))
      .map(
        (queue) =>
          `TEMPORAL_TASKS_ALLOW lets project ${projectID} use ${queue}, a task queue of Perdure itself. Remove it.`,
      ),
  );
}

function problemsOfCodec(environment: Environment, values: Partial<Values>): string[] {
  const [needing] = (['TEMPORAL_TASKS_ALLOW', 'NEXUS_ALLOW'] as const).filter((name) => values[name] !== undefined);
  if (needing === undefined) return [];
  const hasKeys = Boolean(environment['TEMPORAL_PAYLOAD_KEYS'] || environment['TEMPORAL_PAYLOAD_KEYS_PATH']);
  const codec = values.TEMPORAL_TASKS_CODEC;
  if (hasKeys && codec === undefined)
    return [
      `${needing} is set and payloads are encrypted. Set TEMPORAL_TASKS_CODEC to shared if the workers and callers on the other side have the keys, otherwise to plain.`,
    ];
  if (!hasKeys && codec === 'shared')
    return [
      'TEMPORAL_TASKS_CODEC is shared, but there are no keys. Set TEMPORAL_PAYLOAD_KEYS or TEMPORAL_PAYLOAD_KEYS_PATH too.',
    ];
  return [];
}
