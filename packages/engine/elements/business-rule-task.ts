/**
 * Business rule tasks: BPMN 2.0.2 section 10.3.3. The engine evaluates a decision, or a job worker performs the task.
 */
import { shortText } from '../behaviors/data/short-text.js';
import { complete } from '../behaviors/lifecycle/activation.js';
import { compileBinding } from '../behaviors/data/binding.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { compileJob, createJob, type JobDefinition } from '../behaviors/waiting/jobs.js';
import type { ChildBinding } from '../contract/facts.js';
import type { Result } from '../failure.js';
import type { ActivityBase, Expression } from '../model/graph.js';
import { nextID, record, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import type { ElementBehavior } from './element.js';

interface CalledDecision {
  decisionID: Expression;
  binding: ChildBinding;
  resultVariable?: string;
}

export interface BusinessRuleTaskNode extends ActivityBase {
  kind: 'businessRuleTask';
  /** Exactly one of the two is present. */
  job?: JobDefinition;
  decision?: CalledDecision;
}

export const businessRuleTask: ElementBehavior<BusinessRuleTaskNode> = {
  isActivity: true,

  compile(source, compiler) {
    const called = source.extension('calledDecision');
    if (!called) return { job: compileJob(source, compiler) };
    if (source.extension('taskDefinition'))
      compiler.problem(
        'error',
        source,
        'A business rule task needs either a decision (calledDecision) or a job (taskDefinition), but has both. Remove one.',
      );
    const decisionID = called.attribute('decisionId') ?? '';
    if (decisionID === '')
      compiler.problem('error', source, 'A business rule task needs the id of the decision it calls (calledDecision)');
    const resultVariable = called.attribute('resultVariable');
    return {
      decision: {
        decisionID: compiler.expression(source, decisionID, 'decision id'),
        binding: compileBinding(called, source, compiler),
        ...(resultVariable && { resultVariable: compiler.variableName(source, resultVariable, 'resultVariable') }),
      },
    };
  },

  enter(run, element, node) {
    const begun = node.decision ? requestDecision(run, element, node.decision) : createJob(run, element, node.job!);
    if (!begun.ok) fail(run, element, begun.failure);
  },

  resume(run, element, node, wait, payload = {}) {
    if (wait.kind === 'job') return complete(run, element, payload);
    const name = node.decision!.resultVariable;
    complete(run, element, name === undefined ? {} : { [name]: payload['result'] ?? null });
  },
};

function requestDecision(run: Run, element: ElementInstance, decision: CalledDecision): Result<void> {
  const decisionID = shortText(run, element, decision.decisionID, 'decision id');
  if (!decisionID.ok) return decisionID;
  const { binding } = decision;
  const wait = nextID(run);
  record(run, {
    kind: 'DECISION_REQUESTED',
    decision: wait,
    element: element.id,
    node: element.node,
    decisionID: decisionID.value,
    binding,
  });
  return { ok: true, value: undefined };
}
