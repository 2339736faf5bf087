/** Commands that name a node, which can exist and be active or not. */
import type { Model } from '@perdure/engine/model/model.js';
import type { State } from '@perdure/engine/state/state.js';
import type { RecordedCommand } from '../recording.js';

/** Whether the candidate has what a command names by node: none of it can be asked for elsewhere. */
export function isKnown(command: RecordedCommand, model: Model): boolean {
  switch (command.kind) {
    case 'TRIGGER_AD_HOC':
      return model.find(command.node) !== undefined && model.find(command.nodeID) !== undefined;
    case 'SET_AD_HOC_VARIABLES':
    case 'FIRE_TIMERS':
      return model.find(command.node) !== undefined;
    default:
      return true;
  }
}

/** Whether what a command names by node is active now. */
export function isActiveFor(command: RecordedCommand, state: State): boolean {
  switch (command.kind) {
    case 'TRIGGER_AD_HOC':
    case 'SET_AD_HOC_VARIABLES':
      return Object.values(state.elements).some(({ node, loop }) => node === command.node && !loop);
    case 'FIRE_TIMERS':
      return Object.values(state.waits).some(({ kind, node }) => kind === 'timer' && node === command.node);
    default:
      return true;
  }
}

/** Equal for commands that can be carried out under the same condition. */
export function needOf(command: RecordedCommand): string {
  return `${command.kind === 'FIRE_TIMERS' ? 'timer' : 'ad-hoc'} ${'node' in command ? command.node : ''}`;
}
