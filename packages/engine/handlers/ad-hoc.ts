/** Operations on an ad-hoc sub-process from outside: BPMN 2.0.2 section 13.3.5. */
import { isCompensatedAgain } from '../behaviors/compensation/compensation-records.js';
import { isDecided, isDriven } from '../behaviors/flow/driven-ad-hoc.js';
import { roomAt } from '../behaviors/lifecycle/capacity.js';
import { whyClosed } from '../behaviors/listeners/progress.js';
import { setLocal } from '../behaviors/data/variables.js';
import {
  beginInside,
  canBegin,
  reconsider,
  reconsiderLater,
  type AdHocSubProcessNode,
} from '../elements/ad-hoc-sub-process.js';
import { nodeOf, type Run } from '../run.js';
import { isInterrupted } from '../state/element-data.js';
import type { ElementInstance } from '../state/state.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

export const triggerAdHoc: Handler<'TRIGGER_AD_HOC'> = (run, command) => {
  const found = activeAdHoc(run, command.node);
  if (!('element' in found)) return found;
  const { element, node } = found;
  const closed = whyClosed(element);
  if (closed !== undefined) return rejected('CONFLICT', `Nothing can be activated in ${node.id}: ${closed}`);
  if (!canBegin(run, node, command.nodeID)) {
    return rejected(
      'BAD_REQUEST',
      `Ad-hoc sub-process ${node.id} has no element ${command.nodeID} directly inside that can be activated`,
    );
  }
  if (isDecided(element))
    return rejected(
      'CONFLICT',
      `Ad-hoc sub-process ${node.id} ${isInterrupted(element) ? 'was interrupted' : 'is fulfilled'} and is only ending its active elements, so nothing else can be activated in it`,
    );
  if (node.sequential && element.inside > 0) {
    return rejected('CONFLICT', `Ad-hoc sub-process ${node.id} is sequential, and something inside it is active`);
  }
  beginInside(run, element, node, command.nodeID);
  return APPLIED;
};

export const setAdHocVariables: Handler<'SET_AD_HOC_VARIABLES'> = (run, command) => {
  const found = activeAdHoc(run, command.node);
  if (!('element' in found)) return found;
  const room = roomAt(run, found.element, command.variables);
  if (!room.ok) return rejected('BAD_REQUEST', room.failure.message);
  setLocal(run, found.element, command.variables);
  // A job worker decides from its next job on; nothing is evaluated.
  if (found.element.data?.['entered'] !== true || isDriven(found.node)) return APPLIED;
  if (run.paused) reconsiderLater(run, found.element);
  else reconsider(run, found.element, found.node);
  return APPLIED;
};

/** The oldest active instance; the body of a loop does not count, nor does one that is only being compensated. */
function activeAdHoc(run: Run, id: string): { element: ElementInstance; node: AdHocSubProcessNode } | Verdict {
  let isCompensated = false;
  for (const element of Object.values(run.state.elements)) {
    if (element.node !== id || element.loop) continue;
    const node = nodeOf(run, element);
    if (node.kind !== 'adHocSubProcess') continue;
    if (!isCompensatedAgain(run, element)) return { element, node };
    isCompensated = true;
  }
  return rejected(
    'CONFLICT',
    isCompensated
      ? `Ad-hoc sub-process ${id} has completed and is being compensated, so nothing in it can be changed`
      : `Ad-hoc sub-process ${id} is not active`,
  );
}
