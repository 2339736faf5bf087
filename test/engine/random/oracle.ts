/**
 * The expected behavior of a block-structured model, from the tree of blocks alone: no graph, no tokens on flows, nothing of
 * the engine. Section numbers are those of BPMN 2.0.2.
 */
import type { Block } from './blocks.js';
import { adHoc, call, each, sub, transaction } from './oracle/activities.js';
import { gateway } from './oracle/gateways.js';
import { Running } from './oracle/running.js';
import type { Scope } from './oracle/scope.js';
import { task } from './oracle/tasks.js';
import { throwing } from './oracle/throwing.js';
import { Way } from './oracle/way.js';

export type { Open } from './oracle/scope.js';

export class Oracle extends Running {
  runBlock(block: Block, scope: Scope, done: () => void, way = new Way()): void {
    switch (block.kind) {
      case 'sequence': {
        const step = (index: number): void => {
          if (index === block.blocks.length) done();
          else this.runBlock(block.blocks[index]!, scope, () => step(index + 1), way);
        };
        return step(0);
      }
      case 'choice':
      case 'parallel':
      case 'inclusive':
      case 'complex':
      case 'events':
      case 'repeat':
        return gateway(this, block, scope, done, way);
      case 'rollback':
      case 'throw':
      case 'escalate':
      case 'terminate':
      case 'cancel':
      case 'shout':
        return throwing(this, block, scope, done, way);
      case 'each':
        return each(this, block, scope, done);
      case 'sub':
        return sub(this, block, scope, done);
      case 'transaction':
        return transaction(this, block, scope, done);
      case 'adHoc':
        return adHoc(this, block, scope, done);
      case 'call':
        return call(this, block, scope, done);
      default:
        return task(this, block, scope, done);
    }
  }
}
