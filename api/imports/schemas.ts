import { z } from 'zod';
import { MAX_IMPORTED_TOKENS, type ImportedInstance } from '@perdure/engine/contract/imported.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { businessId, givenTimestamp, modelIdentifier, reason, uuid } from '../contract/schemas.js';
import { givenVariables } from '../contract/variables.js';

export const MAX_COMMENTS_OF_TASK = 500;
/** Each takes several statements in one transaction. */
export const MAX_INSTANCES = 1_000;

const shortText = z.string().min(1).max(255);
const index = z.int().min(0).max(1_000_000);
const repeats = z.int().min(1).max(2_147_483_647);

const listener = z
  .strictObject({
    nodeID: modelIdentifier.describe('A boundary event, or the start event of an event sub-process.'),
    dueAt: givenTimestamp.optional(),
    repeats: repeats.optional(),
  })
  .meta({ id: 'ImportedBpmnListener' });

const listening = z
  .array(listener)
  .max(1_000)
  .optional()
  .describe('The events that still listen. Absent: all of them, afresh. Empty: none of them.');

const json = z.unknown() as unknown as z.ZodType<Json>;

const loop = z
  .strictObject({
    index: index.describe('Of this instance, from 0.'),
    items: z.array(json).max(500_000).optional().describe('All items, on the first open instance.'),
    completed: index.describe('How many instances have completed.'),
    outputs: z
      .array(json)
      .max(200_000)
      .optional()
      .describe('Outputs so far by index, with null for missing ones, on the first open instance.'),
  })
  .meta({ id: 'ImportedBpmnLoop' });

const scope = z
  .strictObject({
    key: shortText,
    parent: shortText.optional().describe('The key of the scope around it (default: the process).'),
    nodeID: modelIdentifier.describe('A sub-process, event sub-process, or ad-hoc sub-process.'),
    variables: givenVariables.optional(),
    multiInstance: loop.optional(),
    listening,
  })
  .meta({ id: 'ImportedBpmnScope' });

const task = z
  .strictObject({
    assignee: shortText.optional(),
    candidateUsers: z.array(shortText).max(1_000).optional(),
    candidateGroups: z.array(shortText).max(1_000).optional(),
    dueDate: givenTimestamp.optional(),
    followUpDate: givenTimestamp.optional(),
    priority: z.int().min(0).max(100).optional(),
    createdAt: givenTimestamp.optional(),
  })
  .meta({ id: 'ImportedBpmnTask' });

const token = z
  .strictObject({
    nodeID: modelIdentifier,
    scopeKey: shortText.optional().describe('The scope directly around the node (default: the process).'),
    variables: givenVariables.optional().describe('Local to the node.'),
    multiInstance: loop.optional(),
    arrived: z
      .array(modelIdentifier)
      .max(1_000)
      .optional()
      .describe('Of a joining gateway: the sequence flows whose tokens have arrived.'),
    listening,
    dueAt: givenTimestamp
      .optional()
      .describe('Due time of the timer that it waits for. One that has passed fires at once.'),
    repeats: repeats.optional(),
    retries: z.int().min(1).max(999_999_999).optional().describe('Of its job.'),
    incident: z
      .strictObject({ type: shortText, message: z.string().min(1).max(10_000) })
      .optional()
      .describe('The token waits at this incident. A type that is no `errorType` becomes `Unknown`.'),
    task: task.optional().describe('Replaces what the model says about the user task, member by member.'),
  })
  .meta({ id: 'ImportedBpmnToken' });

const comment = z
  .strictObject({
    tokenIndex: index,
    text: z.string().min(1).max(10_000),
    author: shortText,
    createdAt: givenTimestamp,
  })
  .meta({ id: 'ImportedBpmnComment' });

/** An instance with the version that it continues with, and the instances that it calls. */
export interface GivenInstance extends ImportedInstance {
  definitionID?: string | undefined;
  processId?: string | undefined;
  version?: number | undefined;
  called?: { tokenIndex: number; instance: GivenInstance }[] | undefined;
  comments?: z.output<typeof comment>[] | undefined;
}

const members = {
  source: z
    .strictObject({ system: shortText, id: shortText })
    .describe('Names the instance where it comes from. Each is imported once.'),
  definitionID: uuid.optional().describe('The version. Exactly one of `definitionID` and `processId` is required.'),
  processId: modelIdentifier.optional(),
  version: z.int().min(1).max(2_147_483_647).optional().describe('Of `processId` (default: the newest).'),
  businessId: businessId.optional(),
  createdAt: givenTimestamp.optional().describe('When it started (default: now).'),
  startedBy: shortText.optional(),
  variables: givenVariables,
  scopes: z.array(scope).max(MAX_IMPORTED_TOKENS).optional(),
  tokens: z.array(token).min(1).max(MAX_IMPORTED_TOKENS),
  comments: z.array(comment).max(MAX_IMPORTED_TOKENS).optional(),
  called: z
    .array(z.strictObject({ tokenIndex: index, instance: z.lazy((): z.ZodType<GivenInstance> => importedInstance) }))
    .max(MAX_IMPORTED_TOKENS)
    .optional()
    .describe('The called instance of each token at a call activity.'),
};

const ONE_VERSION = {
  path: ['definitionID'],
  error: 'exactly one of definitionID and processId is required, and version only with processId',
};

function namesOneVersion({
  definitionID,
  processId,
  version,
}: Pick<GivenInstance, 'definitionID' | 'processId' | 'version'>): boolean {
  return (
    (definitionID === undefined) !== (processId === undefined) && (version === undefined || processId !== undefined)
  );
}

const importedInstance: z.ZodType<GivenInstance> = z
  .strictObject(members)
  .refine(namesOneVersion, ONE_VERSION)
  .meta({ id: 'ImportedBpmnInstance' });

export const importInstanceRequest = z
  .strictObject({
    ...members,
    reason,
    dryRun: z.boolean().optional().describe('Checks everything and writes nothing.'),
  })
  .refine(namesOneVersion, ONE_VERSION)
  .meta({ id: 'ImportBpmnInstanceRequest' });

export const importResult = z
  .strictObject({
    workflowID: z.string().optional().describe('Absent after a dry run.'),
    warnings: z.array(z.string()).describe('Reasons why a part of the state was left out.'),
  })
  .meta({ id: 'BpmnImportResult' });
