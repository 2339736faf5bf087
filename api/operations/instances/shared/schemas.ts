import { z } from 'zod';
import {
  businessId,
  execution,
  modelIdentifier,
  reason,
  pageOf,
  suspensionMembers,
  timestamp,
  uuid,
  variables,
  testMember,
} from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';
import { incident } from '../../incidents/shared/schemas.js';

export const instanceStatus = z.enum(['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED']);

/** The system that an instance was imported from, its id there, and who started it there. */
export const importedFrom = z
  .strictObject({ system: z.string(), id: z.string(), startedBy: z.string().optional() })
  .meta({ id: 'BpmnInstanceImportedFrom' });

export const instance = z
  .strictObject({
    definitionID: uuid,
    workflowID: z.string(),
    parentWorkflowID: z.string().optional(),
    processId: z.string(),
    processName: z.string().optional(),
    processVersion: z.int(),
    status: instanceStatus,
    failureReason: z.string().optional(),
    startedBy: z.string().optional(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    hasIncident: z.boolean(),
    /** Whether it takes, or took, longer than the target of its process. */
    overTarget: z.boolean(),
    definitionSuspended: z.boolean(),
    /** Whether an ancestor instance, or the definition of one, is suspended. */
    parentSuspended: z.boolean(),
    ...suspensionMembers,
    businessId: z.string().optional(),
    queued: z.literal(true).optional().describe('It waits for a place of its process, and has not begun'),
    /** The ended instance that it is a restart of. */
    restartedFrom: z.string().optional(),
    importedFrom: importedFrom.optional(),
    isTest: testMember,
  })
  .meta({ id: 'BpmnInstance' });

export const instancePage = pageOf('BpmnInstancePaginatedResponse', instance);

export const childrenResponse = z
  .strictObject({ children: z.array(instance) })
  .meta({ id: 'BpmnInstanceChildrenResponse' });

/** Names of the variables to return. */
const variableNames = z.array(z.string().max(255)).max(1000);

/** The same in a query, separated by commas. */
export const queryVariableNames = z.string().max(8_000);

/** A node to start at, with variables local to it. */
const startPlace = z
  .strictObject({ nodeID: modelIdentifier, variables: givenVariables.optional() })
  .meta({ id: 'StartAt' });

/** Nodes to put tokens before, instead of one at a start event; for admins. */
export const startAt = z.array(startPlace).min(1).max(20);

export const restartInstanceRequest = z
  .strictObject({
    variablesFrom: z
      .enum(['INITIAL', 'LAST'])
      .default('INITIAL')
      .describe('The variables that the ended instance began with, or those that it ended with.'),
    variables: givenVariables.optional().describe('Replace those of the same name.'),
    processDefinitionID: uuid
      .optional()
      .describe('Another version of the same process (default: the version that the instance ran last).'),
    businessId: businessId.optional().describe('Default: that of the ended instance.'),
    startAt: startAt.optional(),
    fetchVariables: variableNames.optional().describe('Returns only these variables in `result` (default: all).'),
    reason: reason.optional(),
  })
  .meta({ id: 'RestartBpmnInstanceRequest' });

export const redactVariablesRequest = z
  .strictObject({ variables: z.array(z.string().min(1).max(255)).min(1).max(100), reason })
  .meta({ id: 'RedactBpmnVariablesRequest' });

export const startInstanceRequest = z
  .strictObject({
    /** The version to start. Exactly one of `processDefinitionID` and `processId` is required. */
    processDefinitionID: uuid.optional(),
    /** Starts the newest version of this process. */
    processId: modelIdentifier.optional(),
    /** Starts this version of `processId`. */
    version: z.int().min(1).max(2_147_483_647).optional(),
    /** Starts the newest version of `processId` with this tag. */
    versionTag: z.string().min(1).max(255).optional(),
    variables: givenVariables.optional(),
    businessId: businessId.optional(),
    startAt: startAt.optional(),
    /** Returns only these variables in `result` (default: all). */
    fetchVariables: variableNames.optional(),
  })
  .refine(({ processDefinitionID, processId }) => (processDefinitionID === undefined) !== (processId === undefined), {
    path: ['processDefinitionID'],
    error: 'exactly one of processDefinitionID and processId is required',
  })
  .refine(({ processId, version, versionTag }) => processId !== undefined || (version ?? versionTag) === undefined, {
    path: ['processId'],
    error: 'required with version or versionTag',
  })
  .refine(({ version, versionTag }) => version === undefined || versionTag === undefined, {
    path: ['versionTag'],
    error: 'cannot be combined with version',
  })
  .meta({ id: 'StartBpmnInstanceRequest' });

/** The end of an instance, or its present state. */
export const instanceResult = z
  .strictObject({
    workflowID: z.string(),
    status: instanceStatus,
    completedAt: timestamp.optional(),
    /** The process's own variables; present when it is COMPLETED. */
    variables: variables.optional(),
    failureReason: z.string().optional(),
    /** Open incidents of the instance and its descendants, newest first (at most 100). */
    incidents: z.array(incident).optional(),
  })
  .meta({ id: 'InstanceResult' });

export const startedInstance = z
  .strictObject({
    workflowID: z.string(),
    definitionID: uuid,
    processId: z.string(),
    processVersion: z.int(),
    /** Present when the request was sent with `Prefer: wait=N`. */
    result: instanceResult.optional(),
  })
  .meta({ id: 'StartedBpmnInstance' });

/** The process or an active sub-process, and the active nodes directly inside it. */
export const activeScope = z
  .strictObject({
    scopeID: z.string(),
    parentScopeID: z.string().optional(),
    nodeID: z.string(),
    /** Tokens by node: active activities and events, and tokens that wait at a joining gateway. */
    activeNodes: z.record(z.string(), z.int()),
    processVersion: z.int(),
    variables,
  })
  .meta({ id: 'ActiveScope' });

/** The actor, time, and reason of a suspension. */
export const suspensionEntry = z
  .strictObject({ suspendedAt: timestamp, suspendedBy: z.string().optional(), reason: z.string().optional() })
  .meta({ id: 'SuspensionEntry' });

export const instanceState = z
  .strictObject({
    resourceID: uuid,
    definitionID: uuid,
    workflowID: z.string(),
    parentWorkflowID: z.string().optional(),
    processId: z.string(),
    processName: z.string().optional(),
    processVersion: z.int(),
    status: instanceStatus,
    variables,
    error: z.boolean(),
    incidents: z.array(incident),
    activeScopes: z.array(activeScope),
    failureReason: z.string().optional(),
    startedBy: z.string().optional(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    /** Whether it takes, or took, longer than the target of its process. */
    overTarget: z.boolean(),
    definitionSuspended: z.boolean(),
    parentSuspended: z.boolean(),
    instanceSuspension: suspensionEntry.optional(),
    definitionSuspension: suspensionEntry.optional(),
    /** The suspension of the nearest ancestor. */
    parentSuspension: suspensionEntry.optional(),
    /** Tokens that wait at joining gateways: by gateway, by incoming sequence flow. */
    pendingJoinArrivals: z.record(z.string(), z.record(z.string(), z.int())),
    businessId: z.string().optional(),
    queued: z.literal(true).optional().describe('It waits for a place of its process, and has not begun'),
    /** The ended instance that it is a restart of. */
    restartedFrom: z.string().optional(),
    importedFrom: importedFrom.optional(),
    /** Names of variables whose values were redacted. */
    redactedVariables: z.array(z.string()).optional(),
    isTest: testMember,
  })
  .meta({ id: 'BpmnInstanceState' });

export const variablesResponse = z.strictObject({ variables }).meta({ id: 'BpmnInstanceVariables' });

/** One activation of a node. */
export const activityState = z
  .strictObject({
    elementInstanceID: z.string().describe('Element instances inside it have it as `scopeID`.'),
    nodeID: z.string(),
    nodeType: z.string(),
    scopeID: z.string(),
    status: z.enum(['Started', 'Completed', 'Failed', 'Canceled']),
    startTime: timestamp,
    endTime: timestamp.optional(),
    durationMs: z.int().optional(),
    inputs: variables.optional(),
    outputs: variables.optional(),
    variablesOmitted: z
      .literal(true)
      .optional()
      .describe('`inputs` and `outputs` are omitted because the page would be too large. Request a smaller page.'),
    executionKey: z.string().optional(),
    /** Whose request completed or failed its job or user task. */
    actor: z.string().optional(),
    /** The client id of the job worker. */
    clientID: z.string().optional(),
    workStartedAt: timestamp
      .optional()
      .describe('When its latest job was first leased, or its latest user task was first assigned.'),
    execution: execution.optional().describe('Where connectors ran the work of its latest job on Temporal.'),
    childWorkflowID: z.string().optional(),
    loopCounter: z.int().optional(),
  })
  .meta({ id: 'BpmnActivityState' });

export const historyPage = pageOf('BpmnActivityStatePaginatedResponse', activityState);

/** An operator action on an instance, or an escalation that nothing caught. */
export const timelineEntry = z
  .strictObject({
    kind: z.enum([
      'START',
      'IMPORT',
      'SUSPEND',
      'RESUME',
      'COMPLETE_USER_TASK',
      'THROW_USER_TASK_ERROR',
      'ASSIGN_USER_TASK',
      'COMPLETE_JOB',
      'THROW_JOB_ERROR',
      'UPDATE_JOB',
      'RESOLVE_INCIDENT',
      'MODIFY',
      'MIGRATE',
      'CANCEL_INSTANCE',
      'SET_VARIABLES',
      'REDACT_VARIABLES',
      'TRIGGER_AD_HOC',
      'SET_AD_HOC_VARIABLES',
      'UPDATE_TIMER',
      'FIRE_TIMER',
      'ESCALATION',
    ]),
    time: timestamp,
    /** Absent when an instance was the actor: an instance that no longer waits for a child instance cancels it. */
    actor: z.string().optional(),
    reason: z.string().optional(),
    outcome: z.enum(['PENDING', 'APPLIED', 'REJECTED']),
    message: z.string().optional(),
    commandID: z.string().optional(),
    /** The batch that did it. */
    batchID: z.string().optional(),
    /** The object that was suspended or resumed. */
    scope: z.enum(['instance', 'definition', 'parent']).optional(),
    incidentID: z.string().optional(),
    /** The user task or job. */
    executionKey: z.string().optional(),
    nodeIDs: z.array(z.string()).optional(),
    /** Names, without values. */
    variables: z.array(z.string()).optional(),
    targetVersion: z.int().optional(),
    escalationCode: z.string().optional(),
  })
  .meta({ id: 'BpmnTimelineEntry' });

export const timelinePage = pageOf('BpmnTimelineEntryPaginatedResponse', timelineEntry);

/** An event in the history of an instance. */
export const factView = z.strictObject({ kind: z.string(), nodeID: z.string().optional(), time: timestamp });

/** Fact number `at` of an instance, and the status after it. */
const listedFact = factView.extend({ at: z.int(), status: instanceStatus }).meta({ id: 'BpmnFact' });

export const factPage = pageOf('BpmnFactPaginatedResponse', listedFact);

/** The instance as of one fact. */
export const replayView = z
  .strictObject({
    at: z.int(),
    last: z.int(),
    status: instanceStatus,
    activeScopes: z.array(activeScope),
    variables,
    incidents: z.array(incident),
    /** The fact that led to this state; absent before the first. */
    fact: factView.optional(),
  })
  .meta({ id: 'BpmnInstanceReplay' });

export const evaluateExpressionRequest = z
  .strictObject({
    expression: z.string().min(1).max(16_384).describe('FEEL, with or without `=` in front'),
    scopeID: z
      .string()
      .max(20)
      .optional()
      .describe(
        'The element instance whose variables the expression sees, as waits and history name it; default: the process',
      ),
    at: z
      .int()
      .min(0)
      .max(2_000_000_000)
      .optional()
      .describe('After this fact; default: the last one. `now()` is the time of the fact'),
  })
  .meta({ id: 'EvaluateBpmnExpressionRequest' });

export const evaluatedExpression = z
  .strictObject({
    value: z.unknown().describe('Null if there is a problem'),
    problem: z
      .strictObject({
        message: z.string().describe('Never contains the value of a variable'),
        line: z.int().min(1).optional(),
        column: z.int().min(1).optional(),
      })
      .optional(),
  })
  .meta({ id: 'EvaluatedBpmnExpression' });

export const setVariablesRequest = z.strictObject({ variables: givenVariables, reason });
