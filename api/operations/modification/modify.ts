import type { z } from 'zod';
import type { ModificationInstruction } from '../../../packages/engine/contract/commands.js';
import { submitCommand } from '../../../store/instances/commands.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { asVariables, tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { modifyInstanceRequest, type modificationInstruction } from './shared/schemas.js';

export const modifyBpmnInstance = defineOperation({
  operationID: 'ModifyBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/modify',
  role: 'admin',
  summary: 'Modify the tokens of an instance',
  description:
    'Adds tokens before nodes and removes tokens: all instructions are applied, or none. They are validated together (400 lists every issue) and applied in order. A modification that leaves no token cancels the instance, and `message` of the response says so.',
  request: { body: modifyInstanceRequest },
  responses: { 200: { description: 'Modification applied', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables({ instructions: body.instructions });
  if (tooLarge !== undefined) return tooLarge;
  const submitted = await submitCommand(context.store, {
    projectID: params.projectID,
    workflowID: params.workflowID,
    body: { kind: 'MODIFY', instructions: body.instructions.map(toInstruction) },
    actor: caller.subject,
    reason: body.reason,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, params.workflowID, submitted, headers.waitMilliseconds);
});

function toInstruction({ scopeID, ...instruction }: z.output<typeof modificationInstruction>): ModificationInstruction {
  const within = scopeID === undefined ? {} : { scope: Number(scopeID) };
  if (instruction.type === 'CANCEL_TOKEN') return { ...instruction, ...within };
  const { variables, ...start } = instruction;
  return { ...start, ...within, ...(variables && { variables: asVariables(variables) }) };
}
