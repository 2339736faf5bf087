/** Transactions: BPMN 2.0.2 section 10.3.5. Canceling is in `behaviors/compensation/transactions.ts`. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { enterScope } from '../behaviors/lifecycle/scopes.js';
import { leaveCanceled } from '../behaviors/compensation/transactions.js';
import type { ActivityBase, ScopeBase } from '../model/graph.js';
import { isEnabled } from '../state/flags.js';
import { isCanceled } from '../state/element-data.js';
import type { ElementBehavior } from './element.js';

export interface TransactionNode extends ActivityBase, ScopeBase {
  kind: 'transaction';
}

export const transaction: ElementBehavior<TransactionNode> = {
  isActivity: true,
  compile: () => ({}),
  enter: enterScope,
  insideDone(run, element) {
    if (isCanceled(element) && isEnabled(run.state, 'canceledTransactionsStayCanceled'))
      return leaveCanceled(run, element);
    complete(run, element);
  },
  compensated(run, element) {
    if (isCanceled(element)) leaveCanceled(run, element);
  },
};
