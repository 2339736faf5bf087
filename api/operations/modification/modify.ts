import type { z } from 'zod';
import type { ModificationInstruction } from '@perdure/engine/contract/commands.js';
import { submitCommand } from '../../../store/instances/submit-command.js';
import { defineCommand } from '../../commands/define-command.js';
import { modifyInstanceRequest, type modificationInstruction } from './shared/schemas.js';

export const modifyBpmnInstance = defineCommand({
  operationID: 'ModifyBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/modify',
  role: 'admin',
  summary: 'Modify the tokens of an instance',
  description:
    'Adds tokens before nodes and removes tokens: all instructions are applied, or none. They are validated together (400 lists every issue) and applied in order. A modification that leaves no token cancels the instance, and `message` of the response says so.',
  request: { body: modifyInstanceRequest },
  says: ({ body }) => ({ details: { instructions: body.instructions.map(({ type, nodeID }) => `${type} ${nodeID}`) } }),
  applied: 'Modification applied',
}).submit(({ params, body, context }, request) =>
  submitCommand(context.store, {
    ...request,
    workflowID: params.workflowID,
    body: { kind: 'MODIFY', instructions: body.instructions.map(toInstruction) },
    reason: body.reason,
  }),
);

function toInstruction({ scopeID, ...instruction }: z.output<typeof modificationInstruction>): ModificationInstruction {
  const within = scopeID === undefined ? {} : { scope: Number(scopeID) };
  if (instruction.type === 'CANCEL_TOKEN') return { ...instruction, ...within };
  const { variables, ...start } = instruction;
  return { ...start, ...within, ...(variables && { variables }) };
}
