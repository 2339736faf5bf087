/** Canceling a token from outside, and the effect on the scope that it leaves. */
import { nodeOf, record, scopeOf, type Run } from '../../run.js';
import { ROOT, type ElementInstance } from '../../state/state.js';
import { isInterrupted } from '../../state/element-data.js';
import { cancel } from './cancellation.js';
import { continueInterruptions } from './held-interruptions.js';

/** A token as an operator sees it. */
interface StandingToken {
  /** The element instance that directly contains it. */
  scope: number;
  /** For an inner instance of a loop, the loop body is the token in the enclosing scope. */
  inLoop: boolean;
  cancel(reason: string): void;
}

/**
 * Cancels one token at `nodeID`: the oldest element instance there, otherwise the oldest token that waits at the node
 * or is on its way to it. Scopes stay, even if empty, until `endEmptyScope`.
 * @param scope the element instance that directly contains the token; required if several scopes have tokens there
 * @returns the scope that contained it, or the reason against the cancellation
 */
export function cancelTokenAt(
  run: Run,
  nodeID: string,
  reason: string,
  scope?: number,
): { scope: number } | { problem: string } {
  if (!run.model.find(nodeID)) return { problem: `the process has no node ${nodeID}` };
  if (nodeID === run.model.root.id)
    return { problem: 'the process itself is not a token; cancel the instance instead' };
  const tokens = tokensAt(run, nodeID).filter((token) => (scope === undefined ? !token.inLoop : token.scope === scope));
  const [oldest] = tokens;
  if (!oldest)
    return { problem: `there is no token at ${nodeID}${scope === undefined ? '' : ` directly inside scope ${scope}`}` };
  const scopes = [...new Set(tokens.map((token) => token.scope))];
  if (scopes.length > 1)
    return { problem: `${nodeID} has tokens in several scopes; select one by scopeID: ${scopes.join(', ')}` };
  oldest.cancel(reason);
  return { scope: oldest.scope };
}

function tokensAt(run: Run, nodeID: string): StandingToken[] {
  const standing = Object.values(run.state.elements).filter(({ node }) => node === nodeID);
  const { arrived, moving } = run.state;
  const onFlows = [...arrived, ...moving].filter(({ flow }) => run.model.flow(flow).target === nodeID);
  return [
    ...standing.map((element) => ({
      scope: element.scope,
      inLoop: scopeOf(run, element)?.node === nodeID,
      cancel: (reason: string) => cancel(run, element, reason),
    })),
    ...onFlows.map(({ flow, scope }) => ({
      scope,
      inLoop: false,
      cancel: () => record(run, { kind: 'TOKEN_CANCELED', flow, scope }),
    })),
  ];
}

/**
 * Called after something directly inside scope `id` was canceled. A scope with nothing left inside is canceled too, and
 * so on outward. Without any token the instance is canceled. A loop continues with its other instances, and an ad-hoc
 * sub-process can still activate other elements.
 * @returns whether the instance was canceled
 */
export function endEmptyScope(run: Run, id: number, reason: string): boolean {
  const scope = run.state.elements[id];
  // An inner scope may have ended this one as well, and with it the instance, whose own element stays.
  if (!scope || run.state.status !== 'RUNNING') return false;
  if (continueInterruptions(run, scope)) return false;
  if (isKeptAlive(run, scope)) {
    record(run, { kind: 'ELEMENT_CONTINUED', element: id, again: true });
    return false;
  }
  if (scope.inside > 0) return false;
  cancel(run, scope, reason);
  if (id !== ROOT) return endEmptyScope(run, scope.scope, reason);
  record(run, { kind: 'INSTANCE_CANCELED', reason });
  return true;
}

function isKeptAlive(run: Run, scope: ElementInstance): boolean {
  return (
    scope.loop !== undefined ||
    scope.compensation !== undefined ||
    (nodeOf(run, scope).kind === 'adHocSubProcess' && !isInterrupted(scope))
  );
}
