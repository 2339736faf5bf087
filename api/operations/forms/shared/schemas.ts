import { z } from 'zod';
import { uuid, variables } from '../../../contract/schemas.js';

/** A form that is embedded in a BPMN file has no id, version, or deployment. */
export const form = z
  .strictObject({
    formID: z.string().optional(),
    version: z.int().optional(),
    versionTag: z.string().optional(),
    deploymentID: uuid.optional(),
    /** form-js JSON. */
    schema: z.record(z.string(), z.unknown()),
    /** Those visible at the task. */
    variables: variables.optional(),
  })
  .meta({ id: 'BpmnForm' });

/** The id in a form file: any text without control characters. */
export const formIdentifier = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Surrogate}]+$/u);
