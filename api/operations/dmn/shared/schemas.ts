import { z } from 'zod';
import type { EvaluationResult } from '@perdure/dmn';
import type { Json } from '@perdure/feel/json.js';
import { businessId, omitted, pageOf, queryInteger, timestamp, uuid, variables } from '../../../contract/schemas.js';
import { evaluationInputs } from '../../../contract/variables.js';
import { validationIssue } from '../../resources/shared/schemas.js';

const definitionMembers = {
  id: uuid,
  name: z.string(),
  definitionsID: z.string(),
  xml: z.string(),
  version: z.int(),
  createdBy: z.string().optional(),
  createdAt: timestamp,
  versionCount: z.int().optional(),
};

/** A version of a DMN file. */
export const definition = z
  .strictObject({ ...definitionMembers, xmlOmitted: omitted('`xml` is empty') })
  .meta({ id: 'Definition' });

export const definitionWithWarnings = z
  .strictObject({
    ...definitionMembers,
    /** Problems of the model; its broken parts fail when they are evaluated. */
    warnings: z.array(validationIssue).optional(),
  })
  .meta({ id: 'DefinitionDetail' });

export const definitionPage = pageOf('PaginatedDefinitionsResponse', definition);

const name = z.string().trim().min(1).max(255);
const version = z.int().min(1).max(1_000_000_000);

export const queryVersion = queryInteger({ minimum: 1, maximum: 1_000_000_000 }).optional();

export const createDefinitionRequest = z
  .strictObject({ name, xml: z.string().min(1), version: version.optional() })
  .meta({ id: 'CreateDefinitionRequest' });

export const updateDefinitionRequest = z
  .strictObject({ xml: z.string().min(1).optional(), version: version.optional(), name: name.optional() })
  .meta({ id: 'UpdateDefinitionRequest' });

/** Values by input data name; any JSON. */
const context = variables;
const inputs = evaluationInputs.describe('Values by input data name; at most 1 MiB as JSON, otherwise 413.');
const names = z.array(z.string().min(1).max(1000)).max(1000);
/**
 * Strict: the first error ends a decision with an error. Lenient, as DMN defines it: an error yields null and a
 * warning.
 */
const errorMode = z.enum(['strict', 'lenient']).default('lenient');

const wanted = {
  /** Decision services to evaluate, by name or id. */
  decisionServices: names.optional(),
  /** Decisions to evaluate, by name or id; without either list, every decision of the file. */
  decisions: names.optional(),
};

export const evaluateDesignRequest = z
  .strictObject({
    xml: z.string().min(1),
    /** Files that it imports. */
    additionalXMLs: z.array(z.string().min(1)).max(50).default([]),
    context: inputs.default({}),
    ...wanted,
    errorMode,
  })
  .meta({ id: 'EvaluateDesignRequest' });

export const batchEvaluateDesignRequest = z
  .strictObject({ xml: z.string().min(1), inputs: z.array(inputs).min(1).max(100), errorMode })
  .meta({ id: 'BatchEvaluateDesignRequest' });

export const evaluateStoredRequest = z
  .strictObject({
    version: version.optional(),
    context: inputs,
    ...wanted,
    businessId: businessId.optional(),
    errorMode,
  })
  .meta({ id: 'EvaluateStoredRequest' });

const warning = z
  .strictObject({ code: z.string(), message: z.string(), elementID: z.string().optional() })
  .meta({ id: 'EvaluationWarning' });

/** Any JSON. */
const json = z.unknown().meta({ id: 'FeelValue' }) as z.ZodType<Json>;

const resultMembers = {
  decisionID: z.string(),
  name: z.string(),
  type: z.enum(['DECISION', 'DECISION_SERVICE', 'BKM', 'INPUT_DATA']),
  error: z.string().nullable(),
  value: json,
  hitRules: z
    .array(z.strictObject({ ruleID: z.string().optional(), outputs: json }).meta({ id: 'HitRule' }))
    .optional(),
  /** Errors that lenient mode turned into null. */
  warnings: z.array(warning).optional(),
};

/** One decision, its result, and the decisions that it required. */
export const evaluationResult: z.ZodType<EvaluationResult> = z
  .strictObject({
    ...resultMembers,
    get dependencies() {
      return z.array(evaluationResult).optional();
    },
  })
  .meta({ id: 'EvaluationResult' });

export const evaluationResults = z.record(z.string(), evaluationResult);

export const batchEvaluationResponse = z
  .strictObject({
    results: z.array(
      z.strictObject({ executionID: z.string().optional(), inputs: context, results: evaluationResults }),
    ),
  })
  .meta({ id: 'BatchEvaluationResponse' });

/** A recorded evaluation. */
export const execution = z
  .strictObject({
    id: uuid,
    definitionID: uuid,
    executedAt: timestamp,
    executedBy: z.string().optional(),
    inputs: z.record(z.string(), z.unknown()),
    outputs: z.unknown(),
    definitionsID: z.string().optional(),
    businessId: z.string().optional(),
    valuesOmitted: omitted('`inputs` is empty and `outputs` null'),
  })
  .meta({ id: 'Execution' });

export const executionPage = pageOf('PaginatedExecutionsResponse', execution);

export const decision = z
  .strictObject({
    decisionID: z.string(),
    decisionName: z.string(),
    definitionsID: z.string(),
    definitionName: z.string(),
    latestVersion: z.int(),
    inputFields: z.array(
      z.strictObject({ name: z.string(), typeRef: z.string().optional() }).meta({ id: 'DecisionInputField' }),
    ),
  })
  .meta({ id: 'DecisionSummary' });

export const decisionPage = pageOf('PaginatedDecisionsResponse', decision);
