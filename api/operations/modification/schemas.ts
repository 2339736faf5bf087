import { z } from 'zod';
import { variables } from '../../schemas.js';

/** The id of a scope in an instance, as its detail and its history show it. */
const scopeID = z.string().regex(/^[1-9]\d{0,8}$/, { error: 'expected the id of a scope as the instance shows it' });

const nodeID = z.string().min(1).max(255);

/** One change of where tokens stand. */
export const modificationInstruction = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('START_BEFORE_NODE'), nodeID, scopeID: scopeID.optional(), variables: variables.optional() }),
    z.strictObject({ type: z.literal('CANCEL_TOKEN'), nodeID, scopeID: scopeID.optional() }),
  ])
  .meta({ id: 'ModificationInstruction' });

/** More are a sign of a program gone wrong, and all of them are one step of the instance. */
const MOST_INSTRUCTIONS = 100;

export const modifyInstanceRequest = z
  .strictObject({ instructions: z.array(modificationInstruction).min(1).max(MOST_INSTRUCTIONS), reason: z.string().max(1000).optional() })
  .meta({ id: 'ModifyBpmnInstanceRequest' });
