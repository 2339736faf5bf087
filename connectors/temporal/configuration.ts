/** Variables of tasks that run on Temporal. */
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

/** JSON itself, or the path of a file with it. */
const allowed: Kind<TemporalTasksAllowed> = {
  schema: z
    .string()
    .transform((given, context) => {
      try {
        return JSON.parse(/^\s*\{/.test(given) ? given : readFileSync(given, 'utf8')) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema) as z.ZodType<TemporalTasksAllowed, string>,
  expected: 'JSON such as {"shop": {"taskQueues": ["payments"], "endpoints": ["bank"]}}, or the path of a file with it',
};

export const temporalTasksSection = {
  title: 'Tasks on Temporal',
  variables: {
    TEMPORAL_TASKS_ALLOW: variable({
      kind: allowed,
      roles: ['connectors'],
      description:
        'Task queues and Nexus endpoints that [tasks on Temporal](how-to/run-a-task-on-temporal.md) of each project may use. Anything else is refused.',
    }),
    TEMPORAL_TASKS_CODEC: variable({
      kind: oneOf(['plain', 'shared']),
      roles: ['connectors'],
      defaultInWords: '`plain` without payload keys; with them it must be set',
      description:
        'Whether the workers of these tasks know the keys of [TEMPORAL_PAYLOAD_KEYS](operations/encryption.md) (`shared`) or not (`plain`).',
    }),
  },
};

type Values = ValuesOf<(typeof temporalTasksSection)['variables']>;

export interface TemporalTasksConfiguration {
  readonly allowed: TemporalTasksAllowed;
  /** Whether the workers of others know our payload keys. */
  readonly sharesKeys: boolean;
}

export function toTemporalTasks(values: Values): TemporalTasksConfiguration {
  return { allowed: values.TEMPORAL_TASKS_ALLOW ?? {}, sharesKeys: values.TEMPORAL_TASKS_CODEC === 'shared' };
}

/** The task queue of the workflows that run tasks. */
export function runnerQueueOf(taskQueue: string): string {
  return `${taskQueue}-tasks`;
}

const isOwn = (taskQueue: string, queue: string) => queue === taskQueue || queue === runnerQueueOf(taskQueue);

export function problemsOfTemporalTasks(
  environment: Environment,
  values: Partial<Values & { TEMPORAL_TASK_QUEUE: string }>,
): string[] {
  const given = values.TEMPORAL_TASKS_ALLOW;
  if (given === undefined) return [];
  const taskQueue = values.TEMPORAL_TASK_QUEUE ?? '';
  const own = Object.entries(given).flatMap(([projectID, { taskQueues }]) =>
    taskQueues
      .filter((queue) => isOwn(taskQueue, queue))
      .map(
        (queue) =>
          `TEMPORAL_TASKS_ALLOW lets project ${projectID} use ${queue}, a task queue of Perdure itself. Remove it.`,
      ),
  );
  const hasKeys = Boolean(environment['TEMPORAL_PAYLOAD_KEYS'] || environment['TEMPORAL_PAYLOAD_KEYS_PATH']);
  const codec = values.TEMPORAL_TASKS_CODEC;
  const hasCodec = codec !== undefined;
  return [
    ...own,
    ...(hasKeys && !hasCodec
      ? [
          'TEMPORAL_TASKS_ALLOW is set and payloads are encrypted. Set TEMPORAL_TASKS_CODEC to shared if the workers of these tasks have the keys, otherwise to plain.',
        ]
      : []),
    ...(!hasKeys && codec === 'shared'
      ? [
          'TEMPORAL_TASKS_CODEC is shared, but there are no keys. Set TEMPORAL_PAYLOAD_KEYS or TEMPORAL_PAYLOAD_KEYS_PATH too.',
        ]
      : []),
  ];
}
