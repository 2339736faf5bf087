import type { z } from 'zod';
import type { ModificationInstruction } from '../../../engine/commands.js';
import { submitCommand } from '../../../store/commands.js';
import { acceptedResponse, carryOut, commandDeadlineSeconds } from '../../commands.js';
import { defineOperation } from '../../operation.js';
import { asVariables, tooManyVariables } from '../../variables.js';
import { command } from '../commands/schemas.js';
import { modifyInstanceRequest, type modificationInstruction } from './schemas.js';

export const modifyBpmnInstance = defineOperation({
  operationID: 'ModifyBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/modify',
  role: 'admin',
  summary: 'Puts tokens before nodes and takes tokens away: all of the instructions, or none.',
  description:
    'Instructions are checked together (400 names everything that stands in their way) and carried out in their order. A modification that leaves no token cancels the instance; `message` of the answer says so.',
  request: { body: modifyInstanceRequest },
  responses: { 200: { description: 'The tokens stand as they were told to.', schema: command }, 202: acceptedResponse },
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
  return carryOut(context, params.workflowID, submitted, headers.waitMilliseconds);
});

function toInstruction({ scopeID, ...instruction }: z.output<typeof modificationInstruction>): ModificationInstruction {
  const within = scopeID === undefined ? {} : { scope: Number(scopeID) };
  if (instruction.type === 'CANCEL_TOKEN') return { ...instruction, ...within };
  const { variables, ...start } = instruction;
  return { ...start, ...within, ...(variables && { variables: asVariables(variables) }) };
}
