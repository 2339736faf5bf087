/**
 * Moving tokens: all instructions or none. They are first carried out on a copy of the state, so that all reasons
 * against them are found before anything has happened.
 */
import { placeBefore } from '../behaviors/lifecycle/placement.js';
import { cancelTokenAt, endEmptyScope } from '../behaviors/lifecycle/token-cancellation.js';
import type { ModificationInstruction } from '../contract/commands.js';
import { newRun } from '../new-run.js';
import type { Run } from '../run.js';
import { copyState } from '../state/state.js';
import { APPLIED, rejected, type Handler } from './handler.js';

export const modify: Handler<'MODIFY'> = (run, command) => {
  const { instructions, reason: given } = command;
  const reason = `the token was canceled by a modification${given === undefined ? '' : `: ${given}`}`;
  const rehearsal = newRun(run.model, copyState(run.state), run.now);
  const issues = moveTokens(rehearsal, instructions, reason).problems;
  if (issues.length > 0) return { ...rejected('BAD_REQUEST', issues.join('; ')), issues };
  const { emptied } = moveTokens(run, instructions, reason);
  const ended = emptied.map((scope) => endEmptyScope(run, scope, reason));
  return ended.includes(true)
    ? { ...APPLIED, message: 'The instance is canceled because the modification left no token in it' }
    : APPLIED;
};

/** In order. Emptied scopes stay until the end, so that a token can be moved within one. */
function moveTokens(
  run: Run,
  instructions: readonly ModificationInstruction[],
  reason: string,
): { problems: string[]; emptied: number[] } {
  const problems: string[] = [];
  const emptied = new Set<number>();
  for (const [index, instruction] of instructions.entries()) {
    const { type, nodeID, scope } = instruction;
    const report = (problem: string) => problems.push(`instruction ${index + 1} (${type} ${nodeID}): ${problem}`);
    if (type === 'START_BEFORE_NODE') {
      const problem = placeBefore(run, nodeID, scope, instruction.variables);
      if (problem !== undefined) report(problem);
    } else {
      const canceled = cancelTokenAt(run, nodeID, reason, scope);
      if ('problem' in canceled) report(canceled.problem);
      else emptied.add(canceled.scope);
    }
  }
  return { problems, emptied: [...emptied] };
}
