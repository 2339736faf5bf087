/** User tasks: BPMN 2.0.2 section 10.3.3. A person completes them. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { compileBinding } from '../behaviors/data/binding.js';
import { agentOfApproval, decideCall } from '../behaviors/flow/agents.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { compileTaskListeners, type TaskListeners } from '../behaviors/listeners/definitions.js';
import { continueTask, offerTask, openTask } from '../behaviors/listeners/task-listeners.js';
import { compileHeaders } from '../behaviors/waiting/jobs.js';
import { compileShortText, shortText, shortTexts } from '../behaviors/data/short-text.js';
import { compileSchedule, evaluateSchedule, type TaskSchedule } from '../behaviors/waiting/task-schedule.js';
import type { ChildBinding } from '../contract/facts.js';
import type { Result } from '../failure.js';
import { text } from '../feel.js';
import type { ActivityBase, Expression } from '../model/graph.js';
import type { Run } from '../run.js';
import { taskListeningOf, type TaskDraft } from '../state/element-data.js';
import type { ElementInstance } from '../state/state.js';
import type { ElementBehavior } from './element.js';

export interface UserTaskNode extends ActivityBase, TaskSchedule {
  kind: 'userTask';
  assignee?: Expression;
  candidateUsers?: Expression;
  candidateGroups?: Expression;
  formKey?: Expression;
  formID?: Expression;
  /** Absent: the latest version. */
  formBinding?: ChildBinding;
  headers?: { [name: string]: string };
  /** Jobs that decide about the task. */
  taskListeners?: TaskListeners;
  /** The tool of an agent about whose calls it decides. Such a task is in no drawing. */
  approves?: string;
}

const ASSIGNMENT = [
  { name: 'assignee', what: 'assignee' },
  { name: 'candidateUsers', what: 'candidate users' },
  { name: 'candidateGroups', what: 'candidate groups' },
] as const;

export const userTask: ElementBehavior<UserTaskNode> = {
  isActivity: true,

  compile(source, compiler) {
    const assignment = source.extension('assignmentDefinition');
    const form = source.extension('formDefinition');
    const headers = compileHeaders(source, source.extension('taskHeaders'), compiler);
    const expressionOf = (given: string | undefined, what: string) =>
      given ? compiler.expression(source, given, what) : undefined;
    const formKey = expressionOf(form?.attribute('formKey') ?? form?.attribute('externalReference'), 'form key');
    const formID = expressionOf(form?.attribute('formId'), 'form id');
    const formBinding = formID && compileBinding(form, source, compiler);
    return {
      ...Object.fromEntries(
        ASSIGNMENT.flatMap(({ name, what }) => {
          const given = assignment?.attribute(name);
          return given ? [[name, compileShortText(source, given, what, compiler)]] : [];
        }),
      ),
      ...(formKey && { formKey }),
      ...(formID && { formID }),
      ...(formBinding && formBinding.kind !== 'latest' && { formBinding }),
      ...(headers && { headers }),
      ...compileSchedule(source, compiler),
      ...compileTaskListeners(source, compiler),
    };
  },

  enter(run, element, node) {
    if (taskListeningOf(element)) return continueTask(run, element);
    const draft = evaluate(run, element, node);
    if (draft.ok) offerTask(run, element, node, draft.value);
    else fail(run, element, draft.failure);
  },

  enterImported(run, element, node) {
    const draft = evaluate(run, element, node);
    if (draft.ok) openTask(run, element, node, draft.value);
    else fail(run, element, draft.failure);
  },

  onContinue: (run, element) => continueTask(run, element),

  resume(run, element, { approves }, _wait, payload) {
    if (approves === undefined) complete(run, element, payload);
    else decideCall(run, element, approves, payload);
  },
};

function evaluate(run: Run, element: ElementInstance, node: UserTaskNode): Result<TaskDraft> {
  const assignee = optional(node.assignee, (expression) => shortText(run, element, expression, 'assignee'));
  if (!assignee.ok) return assignee;
  const candidateUsers = optional(node.candidateUsers, (expression) =>
    shortTexts(run, element, expression, 'candidate users'),
  );
  if (!candidateUsers.ok) return candidateUsers;
  const reader = node.approves === undefined ? element : agentOfApproval(run, element);
  const candidateGroups = optional(node.candidateGroups, (expression) =>
    shortTexts(run, reader, expression, 'candidate groups'),
  );
  if (!candidateGroups.ok) return candidateGroups;
  const formKey = optional(node.formKey, (expression) => text(run, element, expression, 'form key'));
  if (!formKey.ok) return formKey;
  const formID = optional(node.formID, (expression) => text(run, element, expression, 'form id'));
  if (!formID.ok) return formID;
  const schedule = evaluateSchedule(run, element, node);
  if (!schedule.ok) return schedule;
  const value: TaskDraft = {
    ...(assignee.value && { assignee: assignee.value }),
    ...(candidateUsers.value && { candidateUsers: candidateUsers.value }),
    ...(candidateGroups.value && { candidateGroups: candidateGroups.value }),
    ...(formKey.value && { formKey: formKey.value }),
    ...(formID.value && { formID: formID.value }),
    ...(node.formBinding && { formBinding: node.formBinding }),
    ...(node.headers && { headers: node.headers }),
    ...schedule.value,
  };
  return { ok: true, value };
}

function optional<T>(
  expression: Expression | undefined,
  read: (expression: Expression) => Result<T>,
): Result<T | undefined> {
  return expression ? read(expression) : { ok: true, value: undefined };
}
