/**
 * Bodies of the external task protocol. As in Camunda 7, members that they do not name are ignored, and null is the same
 * as absent. What would change the meaning of a request, and has no equivalent, is refused.
 */
import { z } from 'zod';
import { errorCode, workerText } from '../operations/external-jobs/shared/schemas.js';
import { typedVariables } from './variables.js';

const MAX_LOCK_MS = 24 * 3_600_000;

/** Milliseconds. */
const lockDuration = z.int().min(1_000).max(MAX_LOCK_MS);

/** Filters of topics, which polls do not have: without them, a worker would get tasks that it has not asked for. */
const topicFilters = [
  'businessKey',
  'processDefinitionId',
  'processDefinitionIdIn',
  'processDefinitionKey',
  'processDefinitionKeyIn',
  'processDefinitionVersionTag',
  'processVariables',
  'tenantIdIn',
] as const;

/** Refuses a member that asks for something. Null, false, and empty values ask for nothing. */
function asksNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === false || value === '';
}

/** A check that the members ask for nothing, each with the reason. */
function without<Name extends string>(names: readonly Name[], reason: string) {
  return ({ value, issues }: z.core.ParsePayload<Readonly<Partial<Record<Name, unknown>>>>): void => {
    for (const name of names.filter((one) => !asksNothing(value[one])))
      issues.push({ code: 'custom', input: value, path: [name], message: reason });
  };
}

function unknowns<Name extends string>(names: readonly Name[]): Record<Name, z.ZodOptional<z.ZodUnknown>> {
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()])) as Record<
    Name,
    z.ZodOptional<z.ZodUnknown>
  >;
}

const topic = z
  .object({
    topicName: workerText,
    lockDuration,
    variables: z.array(z.string().max(255)).max(1_000).nullish(),
    ...unknowns(topicFilters),
  })
  .check(without(topicFilters, 'is not supported: tasks are chosen by their topic alone'));

export const fetchRequest = z.object({
  workerId: workerText,
  /** A larger number is allowed; at most 100 tasks come at once. */
  maxTasks: z.int().min(1),
  /** Milliseconds. A longer wait is allowed, and ends after a minute. */
  asyncResponseTimeout: z.int().min(0).nullish(),
  topics: z.array(topic).min(1).max(50),
});

export const completeRequest = z.object({
  workerId: workerText,
  variables: typedVariables,
  localVariables: typedVariables,
});

const failureVariables = ['variables', 'localVariables'] as const;

export const failureRequest = z
  .object({
    workerId: workerText,
    errorMessage: z.string().nullish(),
    errorDetails: z.string().nullish(),
    /** Attempts that remain. */
    retries: z.int().min(0).max(1_000).nullish(),
    /** Milliseconds. */
    retryTimeout: z.int().min(0).max(MAX_LOCK_MS).nullish(),
    ...unknowns(failureVariables),
  })
  .check(without(failureVariables, 'is not supported: a failure sets no variables'));

export const bpmnErrorRequest = z.object({
  workerId: workerText,
  errorCode,
  errorMessage: z.string().nullish(),
  variables: typedVariables,
});

export const extendLockRequest = z.object({ workerId: workerText, newDuration: lockDuration });

/** Ways to choose instances other than by correlation keys, and results that name them. */
const ofInstances = ['processInstanceId', 'tenantId', 'all'] as const;
const results = ['resultEnabled', 'variablesInResultEnabled'] as const;

export const messageRequest = z
  .object({
    messageName: z.string().min(1).max(255),
    businessKey: z.string().nullish(),
    correlationKeys: typedVariables,
    localCorrelationKeys: typedVariables,
    processVariables: typedVariables,
    processVariablesLocal: typedVariables,
    ...unknowns(ofInstances),
    ...unknowns(results),
  })
  .check(
    without(ofInstances, 'is not supported: a message reaches one instance, by its correlation keys'),
    without(results, 'is not supported: the response has no content'),
  )
  .refine((given) => !given.businessKey || (isEmpty(given.correlationKeys) && isEmpty(given.localCorrelationKeys)), {
    path: ['businessKey'],
    error: 'cannot be combined with correlation keys',
  });

function isEmpty(variables: z.output<typeof typedVariables>): boolean {
  return Object.keys(variables ?? {}).length === 0;
}
