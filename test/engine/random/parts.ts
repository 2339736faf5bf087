/** The blocks inside a block, and the variables that a model needs to begin with. */
import type { Block } from './blocks.js';

export type Values = { [name: string]: unknown };

/** Variables of the process at its start. */
export function variablesOf(block: Block): Values {
  const variables: Values = { trail: [] };
  declare(block, variables);
  return variables;
}

function declare(block: Block, variables: Values): void {
  switch (block.kind) {
    case 'script':
      variables[`${block.id}_count`] = 0;
      return;
    case 'failing':
      variables[`${block.id}_fixed`] = false;
      return;
    case 'condition':
      variables[`${block.id}_ok`] = false;
      return;
    case 'rule':
      variables['amount'] = 21;
      return;
    case 'choice':
    case 'inclusive':
      variables[`${block.id}_taken`] = block.taken;
      break;
    case 'repeat':
      variables[`${block.id}_round`] = 0;
      break;
    default:
  }
  for (const part of partsOf(block)) declare(part, variables);
}

function partsOf(block: Block): Block[] {
  switch (block.kind) {
    case 'sequence':
      return block.blocks;
    case 'choice':
    case 'parallel':
    case 'inclusive':
    case 'complex':
      return block.branches;
    case 'events':
      return block.branches.flatMap(({ event, then }) => [event, then]);
    case 'repeat':
    case 'each':
      return [block.body];
    case 'transaction':
      return [block.body, block.canceled];
    case 'call':
      return [block.body, ...(block.boundary ? [block.boundary.then] : [])];
    case 'sub':
      return [
        block.body,
        ...(block.boundary ? [block.boundary.then] : []),
        ...(block.handler ? [block.handler.body] : []),
      ];
    default:
      return [];
  }
}
