/** Commands, and results of decisions, without the values of some variables. */
import type { ChildOutcome, CommandBody, CommandKind, DecisionEvaluation, JobResult } from '../contract/commands.js';
import { redactMember, type RedactedNames } from './variables.js';

type CommandOf<K extends CommandKind> = Extract<CommandBody, { kind: K }>;
type Redactor<K extends CommandKind> = (body: CommandOf<K>, names: RedactedNames) => CommandOf<K>;

/** `none`: the command holds no values of variables. */
const redactors: { readonly [K in CommandKind]: 'none' | Redactor<K> } = {
  COMPLETE_JOB: (body, names) => ({
    ...redactMember(body, 'variables', names),
    ...(body.result && { result: redactResult(body.result, names) }),
  }),
  THROW_JOB_ERROR: (body, names) => redactMember(body, 'variables', names),
  COMPLETE_USER_TASK: (body, names) => redactMember(body, 'variables', names),
  THROW_USER_TASK_ERROR: (body, names) => redactMember(body, 'variables', names),
  RESOLVE_INCIDENT: (body, names) => redactMember(body, 'variables', names),
  SET_VARIABLES: (body, names) => redactMember(body, 'variables', names),
  SET_AD_HOC_VARIABLES: (body, names) => redactMember(body, 'variables', names),
  ESCALATE_CHILD: (body, names) => redactMember(body, 'variables', names),
  CORRELATE_MESSAGE: (body, names) => redactMember(body, 'variables', names),
  DELIVER_SIGNAL: (body, names) => redactMember(body, 'variables', names),
  MIGRATE: (body, names) => redactMember(body, 'variables', names),
  END_CHILD: (body, names) => ({ ...body, outcome: redactOutcome(body.outcome, names) }),
  MODIFY: (body, names) => ({
    ...body,
    instructions: body.instructions.map((instruction) =>
      instruction.type === 'START_BEFORE_NODE' ? redactMember(instruction, 'variables', names) : instruction,
    ),
  }),
  CANCEL_INSTANCE: 'none',
  CHANGE_USER_TASK: 'none',
  TRIGGER_AD_HOC: 'none',
  UPDATE_TIMER: 'none',
  FIRE_TIMER: 'none',
  FIRE_TIMERS: 'none',
};

export function redactCommand(body: CommandBody, names: RedactedNames): CommandBody {
  const redactor = redactors[body.kind] as 'none' | Redactor<CommandKind>;
  return redactor === 'none' ? body : redactor(body, names);
}

function redactResult(result: JobResult, names: RedactedNames): JobResult {
  const { activateElements } = result;
  if (!activateElements) return result;
  return { ...result, activateElements: activateElements.map((each) => redactMember(each, 'variables', names)) };
}

function redactOutcome(outcome: ChildOutcome, names: RedactedNames): ChildOutcome {
  return 'variables' in outcome ? redactMember(outcome, 'variables', names) : outcome;
}

/** Without its value, which has no name here. */
export function redactEvaluation(answer: DecisionEvaluation): DecisionEvaluation {
  if (answer.outcome.status !== 'EVALUATED') return answer;
  return { ...answer, outcome: { ...answer.outcome, value: null } };
}
