import { z } from 'zod';
import { pageOf, timestamp, uuid, variables } from '../../../contract/schemas.js';

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

const listedForm = z
  .strictObject({
    formID: z.string(),
    version: z.int(),
    versionTag: z.string().optional(),
    deploymentID: uuid.optional(),
    createdAt: timestamp.describe('Time of deployment of this version'),
    usedBy: z.array(z.strictObject({ processID: z.string(), nodeID: z.string() })),
  })
  .meta({ id: 'BpmnListedForm' });

export const formPage = pageOf('BpmnFormPaginatedResponse', listedForm);

export type ListedFormBody = z.output<typeof listedForm>;

/** The id in a form file: any text without control characters. */
export const formIdentifier = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Surrogate}]+$/u);
