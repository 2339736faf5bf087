/** The request for a batch: what is done, to which targets, at which rate. */
import { z } from 'zod';
import { batchOperations, type BatchOperation } from '../../../../store/batches/batches.js';
import { instanceFilters } from '../../../../store/instances/filters.js';
import { incidentFilters } from '../../../../store/work/incidents/filters.js';
import { jsonFilters } from '../../../commands/list-filters.js';
import { givenWorkflowID, reason } from '../../../contract/schemas.js';
import { fitsInstance, givenVariables } from '../../../contract/variables.js';
import { batchMigrationRequest } from '../../migration/shared/schemas.js';

const nodeID = z.string().min(1).max(255);

/** Scopes are numbered per instance, so an instruction for many instances names none. */
const instruction = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('START_BEFORE_NODE'), nodeID, variables: givenVariables.optional() }),
    z.strictObject({ type: z.literal('CANCEL_TOKEN'), nodeID }),
  ])
  .meta({ id: 'BatchModificationInstruction' });

export const batchInstanceFilter = jsonFilters(instanceFilters).meta({ id: 'InstanceFilter' });
export const batchIncidentFilter = jsonFilters(incidentFilters).meta({ id: 'IncidentFilter' });

const MAX_NAMED = 10_000;

const incidentID = z
  .string()
  .max(270)
  .regex(/^.+:[1-9]\d{0,8}$/, { error: 'must be the id of an incident, as the lists show it' });

const members = {
  filter: batchInstanceFilter.optional(),
  workflowIDs: z.array(givenWorkflowID).min(1).max(MAX_NAMED).optional(),
  incidentFilter: batchIncidentFilter.optional(),
  incidentIDs: z.array(incidentID).min(1).max(MAX_NAMED).optional(),
  variables: givenVariables.optional(),
  instructions: z.array(instruction).min(1).max(100).check(fitsInstance).optional(),
  migration: batchMigrationRequest.optional(),
  nodeID: nodeID.optional(),
};

type Member = keyof typeof members;

/** The members that an operation takes besides its targets: those it needs, and others. */
const inputs: Record<BatchOperation, { needs?: Member; takes?: Member }> = {
  CANCEL: {},
  SUSPEND: {},
  RESUME: {},
  DELETE: {},
  RESOLVE: { takes: 'variables' },
  SET_VARIABLES: { needs: 'variables' },
  MODIFY: { needs: 'instructions' },
  MIGRATE: { needs: 'migration' },
  FIRE_TIMERS: { needs: 'nodeID' },
};

export const createBatchRequest = z
  .strictObject({
    operation: z.enum(batchOperations),
    ...members,
    reason,
    itemsPerSecond: z.int().min(1).max(500).default(50),
    dryRun: z.boolean().default(false),
  })
  .superRefine((given, { addIssue }) => {
    for (const { path, message } of issuesOf(given)) addIssue({ code: 'custom', path: [path], message });
  })
  .meta({ id: 'CreateBpmnBatchRequest' });

type Given = { readonly operation: BatchOperation } & { readonly [Name in Member]?: unknown };

function issuesOf(given: Given): { path: string; message: string }[] {
  const { operation } = given;
  const { needs, takes } = inputs[operation];
  const targets: readonly Member[] =
    operation === 'RESOLVE' ? ['incidentFilter', 'incidentIDs'] : ['filter', 'workflowIDs'];
  const unknown = (Object.keys(members) as Member[])
    .filter((name) => given[name] !== undefined && name !== needs && name !== takes && !targets.includes(name))
    .map((path) => ({ path, message: `${operation} does not take ${path}` }));
  const missing =
    needs !== undefined && given[needs] === undefined ? [{ path: needs, message: `${operation} needs ${needs}` }] : [];
  return [...unknown, ...missing, ...targetIssues(given, targets)];
}

function targetIssues(given: Given, targets: readonly Member[]): { path: string; message: string }[] {
  const named = targets.filter((name) => given[name] !== undefined);
  if (named.length !== 1)
    return [{ path: targets[0]!, message: `${given.operation} needs exactly one of ${targets.join(' and ')}` }];
  const filter = given[named[0]!] as { status?: unknown };
  if (!Array.isArray(filter) && Object.keys(filter).length === 0)
    return [{ path: named[0]!, message: 'must not be empty: name at least one filter' }];
  if (given.operation === 'RESOLVE' && filter.status === 'resolved')
    return [{ path: named[0]!, message: 'must not select resolved incidents' }];
  return [];
}
