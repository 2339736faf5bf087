/** Commands that no host could have sent: the wild tests also guess the numbers of what a step is about to ask for. */
import type { Recording, RecordedCommand } from '@perdure/backtest';
import { apply } from '@perdure/engine/apply.js';
import { newState } from '@perdure/engine/state/state.js';

/** Whether a command took effect on something that began in the same step. */
export function hasGuessed({ steps, commands }: Pick<Recording, 'steps' | 'commands'>): boolean {
  const applied = new Map(commands.map((command) => [command.number, targetOf(command)]));
  const state = newState('i');
  return steps.some(({ inputs, facts }) => {
    const { lastID } = state;
    for (const fact of facts) apply(state, fact, inputs.now);
    return facts.some((fact) => fact.kind === 'COMMAND_HANDLED' && (applied.get(fact.number) ?? 0) > lastID);
  });
}

/** The number of the wait or incident that the command is about; 0 without one, or without an effect. */
function targetOf(command: RecordedCommand): number {
  if (command.status !== 'APPLIED') return 0;
  if ('execution' in command) return command.execution;
  if ('incident' in command) return command.incident;
  return 'timer' in command ? command.timer : 0;
}
