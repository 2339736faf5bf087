import { updateDefinition } from '../../../store/decisions/change-definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem, notFound, problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { withWarnings } from './shared/definition.js';
import { compileFile } from './shared/file.js';
import { definitionWithWarnings, updateDefinitionRequest } from './shared/schemas.js';

export const updateDmnDefinition = defineOperation({
  operationID: 'UpdateDefinition',
  method: 'PUT',
  path: '/projects/{projectID}/dmn/definitions/{definitionID}',
  role: 'editor',
  records: {
    entry: 'around',
    says: ({ body: { name, version, xml } }) => ({
      details: { name, version, file: xml === undefined ? undefined : 'replaced' },
    }),
  },
  summary: 'Update a DMN definition version',
  description:
    'The name can change at any time, the file and the number only until the version is used. A recorded evaluation and a process that calls a decision use a version. From then on, such changes return 409: create a new version instead.',
  request: { params: { definitionID: uuid }, body: updateDefinitionRequest },
  responses: { 200: { description: 'Updated version', schema: definitionWithWarnings } },
  problems: ['INVALID_MODEL', 'CONFLICT'],
}).handle(async ({ params, body, context, turns }) => {
  const { name, version, xml } = body;
  const compiled = xml === undefined ? undefined : await compileFile(context.store, params.projectID, xml, turns);
  if (isProblem(compiled)) return compiled;
  const updated = await updateDefinition(context.store, params.projectID, params.definitionID, {
    name,
    version,
    content: compiled?.content,
  });
  if ('kind' in updated)
    return updated.code === 'NOT_FOUND' ? notFound(updated.message) : problem('CONFLICT', updated.message);
  return { status: 200, body: withWarnings(updated, compiled?.warnings ?? []) };
});
