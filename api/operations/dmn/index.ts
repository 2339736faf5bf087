/** The operations on decisions. */
import type { Operation } from '../../commands/operation.js';
import { createDmnDefinition } from './create.js';
import { deleteDmnDefinition } from './delete.js';
import { evaluateDmnByDefinitionsID } from './evaluate-by-definitions-id.js';
import { evaluateDmnDesignBatch } from './evaluate-design-batch.js';
import { evaluateDmnDesign } from './evaluate-design.js';
import { evaluateStoredDmn } from './evaluate.js';
import { getDmnDefinitionByDefinitionsID } from './get-by-definitions-id.js';
import { getDmnExecution } from './get-execution.js';
import { getDmnDefinition } from './get.js';
import { listDmnDecisions } from './list-decisions.js';
import { listDmnExecutions } from './list-executions.js';
import { listLatestDmnDefinitions } from './list-latest.js';
import { listProjectDmnExecutions } from './list-project-executions.js';
import { listDmnDefinitionVersions } from './list-versions.js';
import { listDmnDefinitions } from './list.js';
import { updateDmnDefinition } from './update.js';

export const dmnOperations: readonly Operation[] = [
  evaluateDmnDesign,
  evaluateDmnDesignBatch,
  listDmnDefinitions,
  createDmnDefinition,
  listLatestDmnDefinitions,
  getDmnDefinitionByDefinitionsID,
  listDmnDefinitionVersions,
  evaluateDmnByDefinitionsID,
  getDmnDefinition,
  updateDmnDefinition,
  deleteDmnDefinition,
  evaluateStoredDmn,
  listDmnExecutions,
  listDmnDecisions,
  listProjectDmnExecutions,
  getDmnExecution,
];
