/**
 * The next step of an agent. It follows from the stored turns, the job, and what the engine says about the calls, so that any
 * connector finds the same step after any death.
 */
import type { AgentTurn, ToolCall } from '../../store/work/agents/turns.js';

export type Step =
  /** `told`: the calls of the turn before, with what the model learns about them; undefined if that is stored. */
  | { readonly kind: 'ask'; readonly turn: number; readonly told?: readonly ToolCall[] }
  | { readonly kind: 'start'; readonly turn: number; readonly text: string | null; readonly calls: readonly ToolCall[] }
  /** For calls that are running. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'finish'; readonly text: string }
  | { readonly kind: 'fail'; readonly failure: string };

export interface Situation {
  readonly job: number;
  /** Ids of calls that are running or wait for their turn. */
  readonly openCalls: ReadonlySet<string>;
  /** By the ids of calls that have ended. */
  readonly results: ReadonlyMap<string, Pick<ToolCall, 'result' | 'approved'>>;
  /** Ids of the elements that can be activated. */
  readonly elements: ReadonlySet<string>;
}

const CANCELED = 'The call was canceled before it returned a result.';

export function nextStep(turns: readonly AgentTurn[], situation: Situation): Step {
  const last = turns.at(-1);
  if (!last) return { kind: 'ask', turn: 1 };
  if (!last.isAnswered) return { kind: 'ask', turn: last.turn };
  // A job that follows an incident asks again.
  if (last.failure !== null)
    return last.job === situation.job ? { kind: 'fail', failure: last.failure } : { kind: 'ask', turn: last.turn + 1 };
  if (last.calls.length === 0) return { kind: 'finish', text: last.text ?? '' };
  return afterCalls(last, situation);
}

function afterCalls(last: AgentTurn, { openCalls, results, elements }: Situation): Step {
  const runnable = last.calls.filter((call) => call.arguments !== undefined);
  // Their activations say that they were started, even if the job that started them looks as if it had not.
  const isStarted = ({ id }: ToolCall) => openCalls.has(id) || results.has(id);
  const toStart = runnable.filter((call) => !isStarted(call) && elements.has(call.elementId));
  if (!last.isActedOn && toStart.length > 0) return { kind: 'start', turn: last.turn, text: last.text, calls: toStart };
  if (runnable.some(({ id }) => openCalls.has(id))) return { kind: 'wait' };
  const told = last.calls.map((call): ToolCall => {
    if (call.arguments === undefined) return call;
    const ended = results.get(call.id);
    return ended === undefined ? { ...call, problem: CANCELED } : { ...call, ...ended };
  });
  return { kind: 'ask', turn: last.turn + 1, told };
}
