import { z } from 'zod';
import { isTemporalTaskType } from '@perdure/lib/model-files/temporal-tasks.js';
import {
  execution,
  givenTimestamp,
  givenWorkflowID,
  heldBy,
  omitted,
  pageOf,
  reason,
  timestamp,
  uuid,
  variables,
  givenIsTest,
  jobListener,
  testMember,
} from '../../../contract/schemas.js';
import { fitsInstance, givenVariables, itemVariables } from '../../../contract/variables.js';
import { command } from '../../../contract/command.js';
import { duration } from '../../../contract/duration.js';
import { MAX_ERROR_MESSAGE_LENGTH } from '../../../../store/work/job-ends.js';

export const jobStatus = z.enum(['PENDING', 'COMPLETED', 'FAILED', 'CANCELED']);

export const externalJob = z
  .strictObject({
    id: uuid,
    executionKey: z.string(),
    workflowID: z.string(),
    nodeID: z.string(),
    taskType: z.string(),
    variables: variables.optional(),
    variablesOmitted: omitted('Only in lists: `variables` is omitted'),
    parentWorkflowID: z.string().optional(),
    status: jobStatus,
    retries: z.int(),
    /** Jobs of a higher priority are leased first. */
    priority: z.int(),
    /** Since when, or from when on, a pending job can be leased. */
    availableAt: timestamp.optional(),
    /** Only in lists: the limit of its task type that holds the job back now. */
    heldBy: heldBy.optional(),
    /** Only in lists: where connectors run its work on Temporal. */
    execution: execution.optional(),
    definitionID: uuid,
    processId: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    /** The listener whose job it is. Absent: the job is the work of its node. */
    listener: jobListener.optional(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    completedBy: z.string().optional(),
    failedBy: z.string().optional(),
    lockedBy: z.string().optional(),
    lockExpiresAt: timestamp.optional(),
    /**
     * Only in the response to a poll. A client that sends it back gets an error if the job has been leased again since then,
     * even to the same client id.
     */
    leaseToken: z.string().optional(),
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
    cancelReason: z.string().optional(),
    businessId: z.string().optional(),
    isTest: testMember,
    /** `traceparent` and `tracestate` (W3C) of the step that created the job: the parent of the job worker's span. */
    traceContext: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'ExternalJob' });

export const externalJobPage = pageOf('BpmnExternalJobPaginatedResponse', externalJob);

export const queueDepthResponse = z
  .strictObject({
    items: z.array(
      z.strictObject({ taskType: z.string(), pendingCount: z.int() }).meta({ id: 'ExternalJobQueueDepthItem' }),
    ),
  })
  .meta({ id: 'ExternalJobQueueDepthResponse' });

/** Clients that polled for a task type in the last minute. */
export const workersPage = pageOf(
  'ExternalJobWorkersPaginatedResponse',
  z
    .strictObject({ taskType: z.string(), clientID: z.string(), lastSeenAt: timestamp })
    .meta({ id: 'ExternalJobWorker' }),
);

/** A job type or a client id, as a job worker writes it: any text that an index row can hold. */
export const workerText = z.string().min(1).max(255);

/** The token of the lease under which the job was processed; only used together with `clientID`. */
const leaseToken = z.string().max(20).optional();

const lockDuration = duration({ minimumSeconds: 1, maximumSeconds: 24 * 3600 });

export const maxPollSeconds = 60;

/** No client leases jobs that only connectors can perform. */
const polledText = workerText.refine((type) => !isTemporalTaskType(type), {
  error: 'jobs of this type are performed by connectors, so no client leases them',
});

const pollTimeout = duration({ minimumSeconds: 0, maximumSeconds: maxPollSeconds });

const fetchVariables = z.array(z.string().max(255)).max(1000);

/** A task type in a poll for several. */
const polledType = z
  .strictObject({
    taskType: polledText,
    /** How long the lease on a job of this type lasts (default: that of the poll). */
    lockDuration: lockDuration.optional(),
    /** Returns only these variables of jobs of this type (default: those of the poll). */
    fetchVariables: fetchVariables.optional(),
  })
  .meta({ id: 'PolledBpmnTaskType' });

const pollMembers = z.strictObject({
  /** The task type. Exactly one of `taskType` and `taskTypes` is required. */
  taskType: polledText.optional(),
  /** Several task types, each once. */
  taskTypes: z.array(polledType).min(1).max(50).optional(),
  clientID: workerText,
  /** How long the lease on a job lasts: 1 s to 24 h (default 30 s). */
  lockDuration: lockDuration.prefault('30s'),
  /** How long to wait for a job: 0 to 60 s (default 30 s). */
  timeout: pollTimeout.prefault('30s'),
  maxJobs: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('Most jobs to lease, of all types together. Fewer are leased when their variables take more than 4 MiB.'),
  /** Returns only these variables. */
  fetchVariables: fetchVariables.optional(),
  /** Leases jobs of tests of drafts, which are left out otherwise. */
  isTest: givenIsTest,
});

type Types = Pick<z.output<typeof pollMembers>, 'taskType' | 'taskTypes'>;
const isOneKind = ({ taskType, taskTypes }: Types) => (taskType === undefined) !== (taskTypes === undefined);
const oneKind = { path: ['taskType'], error: 'exactly one of taskType and taskTypes is required' };
const isEachOnce = ({ taskTypes = [] }: Types) =>
  new Set(taskTypes.map(({ taskType }) => taskType)).size === taskTypes.length;
const eachOnce = { path: ['taskTypes'], error: 'names a task type twice' };

export const pollRequest = pollMembers
  .refine(isOneKind, oneKind)
  .refine(isEachOnce, eachOnce)
  .meta({ id: 'PollBpmnJobRequest' });

/**
 * A poll in the request that ends another job. The client is that of the request. By default it does not wait, so that it
 * does not delay the outcome of the other job.
 */
export const nextJobsRequest = pollMembers
  .omit({ clientID: true, isTest: true })
  .extend({ timeout: pollTimeout.prefault('0s') })
  .refine(isOneKind, oneKind)
  .refine(isEachOnce, eachOnce)
  .meta({ id: 'PollBpmnNextJobsRequest' });

/** Jobs leased with the end of another one; present when that request polled. */
const nextJobs = z.array(externalJob).optional();

const pollsAsClient = { path: ['clientID'], error: 'required with poll: leases belong to a client' };
const namesClientOfPoll = ({ clientID, poll }: { clientID?: string | undefined; poll?: unknown }) =>
  poll === undefined || clientID !== undefined;

const MAX_DAYS_AHEAD = 366;
const isNear = (text: string) => Date.parse(text) <= Date.now() + MAX_DAYS_AHEAD * 24 * 3_600_000;

export const updateJobRequest = z
  .strictObject({
    /** Attempts left. */
    retries: z.int().min(1).max(1000).optional(),
    priority: z.int().min(-2_147_483_648).max(2_147_483_647).optional(),
    /** When the job can be leased: at most 366 days ahead. A time in the past means now. */
    availableAt: givenTimestamp.refine(isNear, { error: `must be at most ${MAX_DAYS_AHEAD} days ahead` }).optional(),
    reason,
  })
  .refine(({ retries, priority, availableAt }) => (retries ?? priority ?? availableAt) !== undefined, {
    error: 'at least one of retries, priority, and availableAt is required',
  })
  .meta({ id: 'UpdateBpmnExternalJobRequest' });

export const heartbeatRequest = z.strictObject({
  clientID: workerText,
  leaseToken,
  lockDuration: lockDuration.prefault('30s'),
});

/** Most elements that one decision can activate. */
const MAX_ACTIVATIONS = 1000;

/** The decision about an ad-hoc sub-process, or of a task listener. It is refused for any other job. */
const jobResult = z
  .strictObject({
    /** Clients of Camunda 8 send it. */
    type: z.enum(['adHocSubProcess', 'userTask']).optional(),
    /** Elements to start, each once per entry: those of the job's variable `adHocSubProcessElements`. */
    activateElements: z
      .array(
        z
          .strictObject({
            elementId: z.string().min(1).max(255),
            /** Local to this activation. */
            variables: itemVariables.optional(),
          })
          .meta({ id: 'BpmnJobActivation' }),
      )
      .max(MAX_ACTIVATIONS)
      .optional(),
    /** The sub-process ends once nothing inside is active (default false); then nothing can be activated. */
    isCompletionConditionFulfilled: z.boolean().optional(),
    /** Cancels what is active inside first (default false). */
    isCancelRemainingInstances: z.boolean().optional(),
    /** Of a task listener: the request does not take effect (default false). The creation of a task cannot be denied. */
    denied: z.boolean().optional(),
    /** Shown to the caller whose request is denied. */
    deniedReason: z.string().max(1000).optional(),
    /** Of a task listener that agrees. Null keeps a value, and an empty text or list clears it. */
    corrections: z
      .strictObject({
        assignee: z.string().max(255).nullable().optional(),
        dueDate: z
          .union([givenTimestamp, z.literal('')])
          .nullable()
          .optional(),
        followUpDate: z
          .union([givenTimestamp, z.literal('')])
          .nullable()
          .optional(),
        priority: z.int().min(0).max(100).nullable().optional(),
        candidateUsers: z.array(z.string().min(1).max(255)).max(1000).nullable().optional(),
        candidateGroups: z.array(z.string().min(1).max(255)).max(1000).nullable().optional(),
      })
      .meta({ id: 'BpmnTaskCorrections' })
      .optional(),
  })
  .meta({ id: 'BpmnJobResult' })
  .transform(({ type: _type, ...decision }) => decision);

const jobOfInstance = {
  executionKey: z.string().max(400),
  workflowID: givenWorkflowID,
  leaseToken,
  variables: itemVariables.optional(),
};

export const completeRequest = z
  .strictObject({
    workflowID: givenWorkflowID,
    clientID: workerText.optional(),
    leaseToken,
    variables: givenVariables.optional(),
    result: jobResult.check(fitsInstance).optional(),
    reason,
    poll: nextJobsRequest.optional(),
  })
  .refine(namesClientOfPoll, pollsAsClient);

/** The outcome of the end of a job, and the next jobs. */
export const jobEnd = command.extend({ jobs: nextJobs }).meta({ id: 'BpmnJobEnd' });

/** A BPMN error code, as an error boundary event names it. */
export const errorCode = z.string().min(1).max(255);

const errorMessage = z.string().max(MAX_ERROR_MESSAGE_LENGTH);
const retryable = z.boolean().default(true);
const retryBackoff = duration({ minimumSeconds: 0, maximumSeconds: 24 * 3600 });

export const errorRequest = z
  .strictObject({
    errorCode,
    errorMessage: errorMessage.optional(),
    reason,
    clientID: workerText.optional(),
    leaseToken,
    /**
     * Whether this is a technical failure, which is retried while attempts remain. False routes it as a BPMN error at
     * once.
     */
    retryable,
    /** How long to wait before the job can be leased again. */
    retryBackoff: retryBackoff.optional(),
    variables: givenVariables.optional(),
    poll: nextJobsRequest.optional(),
  })
  .refine(namesClientOfPoll, pollsAsClient);

/** The outcome of a reported failure: a retry with the attempts that remain, or a command to the instance. */
export const errorResponse = z.union([
  z.strictObject({ status: z.literal('REQUEUED'), retries: z.int(), jobs: nextJobs }),
  jobEnd,
]);

export const batchCompleteRequest = z.strictObject({
  clientID: workerText.optional(),
  items: z
    .array(z.strictObject({ ...jobOfInstance, result: jobResult.optional() }))
    .min(1)
    .max(100),
});

export const batchErrorRequest = z.strictObject({
  clientID: workerText.optional(),
  retryable,
  items: z
    .array(z.strictObject({ ...jobOfInstance, errorCode }))
    .min(1)
    .max(100),
});

export const batchResponse = z
  .strictObject({
    results: z.array(
      z.strictObject({
        executionKey: z.string(),
        status: z.enum(['completed', 'failed', 'requeued', 'error']),
        error: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'ExternalJobBatchResponse' });
