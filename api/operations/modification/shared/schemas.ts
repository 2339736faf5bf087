import { z } from 'zod';
import { fitsInstance, givenVariables } from '../../../contract/variables.js';

/** The id of a scope of an instance, as returned by its detail and its history. */
const scopeID = z.string().regex(/^[1-9]\d{0,8}$/, { error: 'must be a scope id as the instance shows it' });

const nodeID = z.string().min(1).max(255);

/** One change to the tokens of an instance. */
export const modificationInstruction = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('START_BEFORE_NODE'),
      nodeID,
      scopeID: scopeID.optional(),
      variables: givenVariables.optional(),
    }),
    z.strictObject({ type: z.literal('CANCEL_TOKEN'), nodeID, scopeID: scopeID.optional() }),
  ])
  .meta({ id: 'ModificationInstruction' });

/** All instructions are one step of the instance. More of them point to a faulty client. */
const MAX_INSTRUCTIONS = 100;

export const modifyInstanceRequest = z
  .strictObject({
    instructions: z.array(modificationInstruction).min(1).max(MAX_INSTRUCTIONS).check(fitsInstance),
    reason: z.string().max(1000).optional(),
  })
  .meta({ id: 'ModifyBpmnInstanceRequest' });
