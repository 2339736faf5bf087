import { z } from 'zod';
import { variables } from '../../schemas.js';

const elementID = z.string().min(1).max(255);

const elementMapping = z.strictObject({ sourceElementID: elementID, targetElementID: elementID }).meta({ id: 'ElementMapping' });

const plan = {
  /** A version of the same process. */
  targetVersion: z.int().min(1).max(2_147_483_647),
  elementMappings: z.array(elementMapping).max(1000).optional(),
  variables: variables.optional(),
};

export const migrateInstanceRequest = z.strictObject({ ...plan, reason: z.string().max(1000).optional() }).meta({ id: 'MigrateBpmnInstanceRequest' });

export const migrationValidationResult = z.strictObject({ valid: z.boolean(), issues: z.array(z.string()) }).meta({ id: 'MigrationValidationResult' });
