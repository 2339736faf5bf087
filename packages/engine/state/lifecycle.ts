/**
 * The life cycle of an element instance: its phases, and the facts that lead from one to another. Tests fold every fact
 * through `applyChecked`; production does not pay for the check.
 */
import type { Fact, FactKind } from '../contract/facts.js';
import { isCanceled } from './element-data.js';
import { isEnabled } from './flags.js';
import { ROOT, type State } from './state.js';

/**
 * - `ABSENT`: never activated
 * - `PLACED`: activated, and starts when its continuation runs
 * - `DEFERRED`: it has run, and a pause has deferred its retry, which its continuation runs
 * - `ENTERED`: its own behavior runs or waits
 * - `LISTENING`: as `ENTERED`, and its boundary events listen
 * - `LOOPING`: the body of a loop, whose inner instances do the work
 * - `COMPENSATING`: work completed inside is being undone
 * - `ENDED`: completed, failed, or canceled
 */
type Phase = 'ABSENT' | 'PLACED' | 'DEFERRED' | 'ENTERED' | 'LISTENING' | 'LOOPING' | 'COMPENSATING' | 'ENDED';

interface Transition {
  from: readonly Phase[];
  to: readonly Phase[];
}

const started: readonly Phase[] = ['ENTERED', 'LISTENING', 'LOOPING', 'COMPENSATING'];
const begun: readonly Phase[] = ['DEFERRED', ...started];
const alive: readonly Phase[] = ['PLACED', ...begun];

/** Facts about the life of one element instance. All other facts leave its phase as it is. */
const transitions = {
  ELEMENT_ACTIVATED: { from: ['ABSENT'], to: ['PLACED', 'ENTERED', 'COMPENSATING'] },
  // A migration records it where boundary events are new: in a running loop body, or again after others were removed.
  // A retry records it in a scope that is being compensated: a modification started what throws inside the failed scope.
  ELEMENT_BEGUN: {
    from: ['ENTERED', 'LISTENING', 'LOOPING', 'COMPENSATING'],
    to: ['LISTENING', 'LOOPING', 'COMPENSATING'],
  },
  ELEMENT_CONTINUED: { from: alive, to: alive },
  RETRY_DEFERRED: { from: alive, to: ['DEFERRED'] },
  LOOP_STARTED: { from: ['ENTERED', 'LISTENING'], to: ['LOOPING'] },
  // A modification can place what throws it in a scope whose retry a pause has deferred.
  COMPENSATION_STARTED: { from: begun, to: ['COMPENSATING', 'DEFERRED'] },
  COMPENSATION_ENDED: { from: ['COMPENSATING'], to: started },
  // An event with several definitions occurs after a pause before the retry that the pause has deferred.
  ELEMENT_COMPLETED: { from: begun, to: ['ENDED'] },
  ELEMENT_FAILED: { from: started, to: ['ENDED'] },
  ELEMENT_CANCELED: { from: alive, to: ['ENDED'] },
} as const satisfies { [K in FactKind]?: Transition };

export function phaseOf({ elements, lastID, status }: State, id: number): Phase {
  const element = elements[id];
  if (!element) return id <= lastID ? 'ENDED' : 'ABSENT';
  // The process's own element stays after its end: its variables are the result of the instance.
  if (id === ROOT && status !== 'RUNNING') return 'ENDED';
  if (element.placed) return element.retryOf === undefined ? 'PLACED' : 'DEFERRED';
  if (element.compensation) return 'COMPENSATING';
  if (element.loop) return 'LOOPING';
  return element.begun ? 'LISTENING' : 'ENTERED';
}

/**
 * Applies `fact` with `apply` and checks the life cycle of the element instance that it is about.
 * @throws if the table has no such transition, or a canceled transaction takes its outgoing flows
 */
export function applyChecked(
  apply: (state: State, fact: Fact, now: number) => unknown,
  state: State,
  fact: Fact,
  now: number,
): void {
  const transition: Transition | undefined = (transitions as { [K in FactKind]?: Transition })[fact.kind];
  if (!transition || !('element' in fact)) return void apply(state, fact, now);
  if (fact.kind === 'ELEMENT_COMPLETED' && fact.flows && isLeftCanceled(state, fact.element))
    throw new Error(`Canceled transaction ${fact.element} was left along its outgoing flows ${fact.flows.join(', ')}`);
  const from = phaseOf(state, fact.element);
  apply(state, fact, now);
  const to = phaseOf(state, fact.element);
  // The process itself ends with a fact about the instance.
  const isLegal = transition.from.includes(from) && (transition.to.includes(to) || fact.element === ROOT);
  if (!isLegal)
    throw new Error(
      `${fact.kind} led element instance ${fact.element} from ${from} to ${to}, which is not in the table`,
    );
}

function isLeftCanceled(state: State, id: number): boolean {
  const element = state.elements[id];
  return element !== undefined && isCanceled(element) && isEnabled(state, 'canceledTransactionsStayCanceled');
}
