/** Call activities: BPMN 2.0.2 section 10.3.6. The called process runs as a separate instance. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { compileBinding } from '../behaviors/data/binding.js';
import { roomAt } from '../behaviors/lifecycle/capacity.js';
import { escalationsCaughtAround } from '../behaviors/waiting/escalations.js';
import { caughtAround, fail } from '../behaviors/lifecycle/failures.js';
import { shortText } from '../behaviors/data/short-text.js';
import { setLocal } from '../behaviors/data/variables.js';
import { visibleVariables } from '../state/scopes.js';
import type { ChildBinding } from '../contract/facts.js';
import type { ActivityBase, Expression } from '../model/graph.js';
import { nextID, record } from '../run.js';
import type { ElementBehavior } from './element.js';

export interface CallActivityNode extends ActivityBase {
  kind: 'callActivity';
  processID: Expression;
  binding: ChildBinding;
  /** Whether the child gets all variables visible here, or only the results of the input mappings. */
  propagateParentVariables: boolean;
  /** Whether all variables of the child are returned, or only those that output mappings take. */
  propagateChildVariables: boolean;
}

/** Keeps a process that calls itself from starting instances without limit. */
export const MAX_DEPTH = 25;

export const callActivity: ElementBehavior<CallActivityNode> = {
  isActivity: true,

  compile(source, compiler) {
    const called = source.extension('calledElement');
    const processID = called?.attribute('processId') ?? source.attribute('calledElement') ?? '';
    if (processID === '')
      compiler.problem('error', source, 'A call activity needs the process id it calls (calledElement)');
    return {
      processID: compiler.expression(source, processID, 'called process id'),
      binding: compileBinding(called, source, compiler),
      propagateParentVariables: called?.flag('propagateAllParentVariables', true) ?? true,
      propagateChildVariables: called?.flag('propagateAllChildVariables', true) ?? true,
    };
  },

  enter(run, element, node) {
    const processID = shortText(run, element, node.processID, 'called process id');
    if (!processID.ok) return fail(run, element, processID.failure);
    const depth = run.state.depth + 1;
    if (depth > MAX_DEPTH) {
      return fail(run, element, {
        errorType: 'NoHandler',
        errorCode: 'CALL_DEPTH',
        message: `Call activity ${node.id} exceeds the call depth limit of ${MAX_DEPTH}, so process ${processID.value} was not started. Check it for recursion.`,
      });
    }
    const caughtEscalations = escalationsCaughtAround(run, element);
    const child = nextID(run);
    record(run, {
      kind: 'CHILD_CALLED',
      child,
      element: element.id,
      node: node.id,
      workflowID: `${run.state.workflowID}.${child}`,
      processID: processID.value,
      binding: node.binding,
      variables: node.propagateParentVariables ? visibleVariables(run.state, element) : { ...element.variables },
      caughtErrors: caughtAround(run, element),
      ...(caughtEscalations && { caughtEscalations }),
      depth,
    });
  },

  resume(run, element, node, _wait, payload = {}) {
    if (node.propagateChildVariables) return complete(run, element, payload);
    const room = roomAt(run, element, payload);
    if (!room.ok) return fail(run, element, room.failure);
    setLocal(run, element, payload);
    complete(run, element);
  },
};
