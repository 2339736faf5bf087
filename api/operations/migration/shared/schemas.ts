import { z } from 'zod';
import { identifier, pagination, timestamp, uuid } from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';

const elementID = z.string().min(1).max(255);

export const elementMapping = z
  .strictObject({ sourceElementID: elementID, targetElementID: elementID })
  .meta({ id: 'ElementMapping' });

const plan = {
  /** A version of the same process. */
  targetVersion: z.int().min(1).max(2_147_483_647),
  elementMappings: z.array(elementMapping).max(1000).optional(),
  variables: givenVariables.optional(),
};

export const batchMigrationRequest = z.strictObject(plan).meta({ id: 'BatchMigrationRequest' });

export const migrateInstanceRequest = z
  .strictObject({ ...plan, reason: z.string().max(1000).optional() })
  .meta({ id: 'MigrateBpmnInstanceRequest' });

export const migrationValidationResult = z
  .strictObject({ valid: z.boolean(), issues: z.array(z.string()) })
  .meta({ id: 'MigrationValidationResult' });

export const migrateInstancesRequest = z
  .strictObject({
    ...plan,
    /** Defaults to all running instances of the version. */
    workflowIDs: z.array(identifier).min(1).max(10_000).optional(),
    reason: z.string().max(1000).optional(),
  })
  .meta({ id: 'MigrateBpmnInstancesRequest' });

export const migrationOfInstancesValidationResult = z
  .strictObject({
    valid: z.boolean(),
    /** The issues of the plan, then those of the instances, each once with the number of instances. */
    issues: z.array(z.string()),
    /** Running instances of the version, and how many of them were checked. */
    total: z.int(),
    checked: z.int(),
  })
  .meta({ id: 'MigrationOfInstancesValidationResult' });

export const startedMigration = z.strictObject({ migrationID: uuid }).meta({ id: 'StartedMigration' });

/** The result of one instance. */
const migratingInstance = z
  .strictObject({
    workflowID: z.string(),
    status: z.enum(['PENDING', 'MIGRATED', 'REFUSED']),
    issues: z.array(z.string()).optional(),
  })
  .meta({ id: 'MigratingInstance' });

export const migrationOfInstances = z
  .strictObject({
    migrationID: uuid,
    status: z.enum(['RUNNING', 'COMPLETED']),
    definitionID: uuid,
    createdBy: z.string(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    total: z.int(),
    migrated: z.int(),
    refused: z.int(),
    results: z.strictObject({ data: z.array(migratingInstance), pagination }),
  })
  .meta({ id: 'MigrationOfInstances' });
