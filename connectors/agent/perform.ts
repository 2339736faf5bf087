/** One job of an agent: asks the model until it calls tools or has finished, and says so to the engine. */
import { TOOL_CALL_RESULTS } from '@perdure/lib/model-files/agents.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { readConversation, takeOnTurn, type ToolCall } from '../../store/work/agents/turns.js';
import { readBackoff, storableVariables } from '../results/expressions.js';
import { TaskError } from '../results/task-error.js';
import { NotNow, type Completion, type SendingTasksOptions, type TaskKind } from '../work.js';
import { readAgent, type Agent } from './agent.js';
import { ask } from './ask.js';
import { nextStep, type Step } from './next-step.js';
import { stored } from './stored.js';

export const agentTurn: TaskKind = {
  name: 'Job of an agent',
  async perform(options, task, signal) {
    readBackoff(task.job.headers, 'AGENT');
    const agent = readAgent(task);
    for (;;) {
      const turns = await stored(readConversation(options.store, agent.conversation));
      const step = nextStep(turns, agent.situation);
      // The answer is read from the store, because another connector may have stored one first.
      if (step.kind === 'ask') await ask(options, agent, turns, step, signal);
      else return take(options, agent, step);
    }
  },
};

async function take(options: SendingTasksOptions, agent: Agent, step: Decided): Promise<Completion> {
  if (
    step.kind === 'start' &&
    !(await stored(takeOnTurn(options.store, agent.conversation, step.turn, agent.situation.job)))
  )
    throw new NotNow('A later job continues the conversation');
  return decisionOf(agent, step);
}

type Decided = Exclude<Step, { kind: 'ask' }>;

/**
 * The completion of the job.
 * @throws TaskError
 */
export function decisionOf(agent: Agent, step: Decided): Completion {
  switch (step.kind) {
    case 'wait':
      return { variables: {}, result: {} };
    case 'finish':
      return {
        variables: resultOf(agent, step.text),
        result: { isCompletionConditionFulfilled: true },
      };
    case 'fail':
      throw new TaskError(step.failure, failures[step.failure] ?? 'The answer of the model cannot be acted on.');
    case 'start':
      return {
        variables: { [TOOL_CALL_RESULTS]: [] },
        result: { activateElements: step.calls.map(activation(agent, step.text)) },
      };
  }
}

const failures: Readonly<Record<string, string>> = {
  AGENT_REFUSED: 'The model refused to answer. Resolving the incident asks it again.',
  AGENT_ANSWER_CUT: 'The answer of the model was cut off at its longest length. Resolving the incident asks it again.',
  AGENT_ANSWER_INVALID:
    'The answer of the model has neither a text nor a call of a tool in the format of the provider. Check the input provider.',
};

function resultOf({ resultVariable }: Agent, text: string): Variables {
  return resultVariable === undefined ? {} : storableVariables({ [resultVariable]: text }, 'AGENT_ANSWER_INVALID');
}

/** Of the text of the model that an approval shows. 64 calls of a turn can have it. */
const MAX_SHOWN_CHARACTERS = 2_000;

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SHOWN_CHARACTERS ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}...` : text;
}

/**
 * The inputs of the agent are hidden from its tools: a result with the name of an input would otherwise change what the
 * agent may do.
 */
function activation({ settings }: Agent, text: string | null) {
  const hidden = Object.fromEntries([...settings.names, TOOL_CALL_RESULTS].map((name) => [name, null]));
  return ({ id, elementId, arguments: given }: ToolCall) => {
    const why = settings.approve.includes(elementId) && text !== null && { text: shortened(text) };
    const toolCall = { ...given, _meta: { id, name: elementId, ...why } };
    return { elementId, variables: { ...hidden, toolCall, toolCallResult: null } };
  };
}
