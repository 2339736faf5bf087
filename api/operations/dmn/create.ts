import { createDefinition } from '../../../store/decisions/change-definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem, problem } from '../../contract/problem.js';
import { problemOfOpening } from '../projects/shared/project.js';
import { withWarnings } from './shared/definition.js';
import { compileFile } from './shared/file.js';
import { createDefinitionRequest, definitionWithWarnings } from './shared/schemas.js';

export const createDmnDefinition = defineOperation({
  operationID: 'CreateDefinition',
  method: 'POST',
  path: '/projects/{projectID}/dmn/definitions',
  role: 'editor',
  opensProject: true,
  records: { entry: 'around', says: ({ body }) => ({ details: { name: body.name } }) },
  summary: 'Create a DMN definition version',
  description:
    'Stores the file as the next version of its definitions and returns its problems as warnings. An import refers to the newest file of the project with that namespace. `version` sets the version number explicitly; 409 if it is taken, or if a project with this id is being deleted.',
  request: { body: createDefinitionRequest },
  responses: { 201: { description: 'Created version', schema: definitionWithWarnings } },
  problems: ['INVALID_MODEL', 'CONFLICT'],
}).handle(async ({ params, body, caller, context, turns }) => {
  const compiled = await compileFile(context.store, params.projectID, body.xml, turns);
  if (isProblem(compiled)) return compiled;
  const unopened = await problemOfOpening(context, caller, params.projectID);
  if (unopened !== undefined) return unopened;
  const { name, version } = body;
  const created = await createDefinition(context.store, params.projectID, {
    name,
    version,
    content: compiled.content,
    createdBy: caller.subject,
  });
  if ('kind' in created) return problem(created.code, created.message);
  const { definitionID, version: number } = created;
  return {
    status: 201,
    body: withWarnings(created, compiled.warnings),
    audit: { definitionID, details: { version: number } },
  };
});
