/** Ad-hoc sub-processes that the role `connectors` drives with a model: their inputs and task headers are complete and known. */
import {
  AGENT_TASK_TYPE,
  agentHeaders,
  agentInputs,
  agentProviders,
  countOf,
  MAX_AGENT_TOKENS,
  MAX_AGENT_TURNS,
  MAX_MODEL_NAME_LENGTH,
  requiredAgentInputs,
} from '@perdure/lib/model-files/agents.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { parseDuration } from '@perdure/lib/duration.js';
import type { BpmnElement } from '../../read/document.js';

const MAX_BACKOFF_MS = 24 * 3_600_000;
const SECRET = /\{\{\s*secrets\./;

export function checkAgent(element: BpmnElement, problems: Diagnostics): void {
  if (element.extension('taskDefinition')?.attribute('type') !== AGENT_TASK_TYPE) return;
  for (const why of element.type === 'adHocSubProcess'
    ? problemsOf(element)
    : ['only an ad-hoc sub-process can have it.'])
    problems.error(element.id, `${element.id} has the job type ${AGENT_TASK_TYPE}, but ${why}`);
}

function problemsOf(element: BpmnElement): string[] {
  const inputs = inputsOf(element);
  return [
    ...requiredAgentInputs
      .filter((name) => !inputs.some(({ target }) => target === name))
      .map((name) => `the input ${name} is missing. Add it.`),
    ...inputs.flatMap(inputProblems),
    ...(inputs.some(({ target }) => target === 'approvers') && !inputs.some(({ target }) => target === 'approve')
      ? ['the input approvers has no effect without the input approve. Add approve, or remove approvers.']
      : []),
    ...headerProblems(element),
    ...(element.extension('adHoc')?.attribute('outputCollection')
      ? ['it collects the results of its tools for the model. Remove outputCollection and outputElement.']
      : []),
  ];
}

interface Input {
  /** The first name of the target. */
  readonly target: string;
  readonly isWhole: boolean;
  readonly source: string;
}

function inputsOf(element: BpmnElement): Input[] {
  const inputs = element.extension('ioMapping')?.children('input') ?? [];
  return inputs.map((input) => {
    const [target = '', ...rest] = (input.attribute('target') ?? '').split('.');
    return { target, isWhole: rest.length === 0, source: input.attribute('source') ?? '' };
  });
}

function inputProblems(input: Input): string[] {
  const { target, source } = input;
  if (!(agentInputs as readonly string[]).includes(target)) return [];
  if (target !== 'headers' && SECRET.test(source))
    return [`its input ${target} names a secret. Only headers can, because everything else is sent to the model.`];
  if (source.startsWith('=') || !input.isWhole) return [];
  const why = literalProblem(target, source);
  return why === undefined ? [] : [`the input ${target} ${why}, not ${JSON.stringify(source.slice(0, 100))}`];
}

function literalProblem(name: string, text: string): string | undefined {
  switch (name) {
    case 'provider':
      return (agentProviders as readonly string[]).includes(text)
        ? undefined
        : `must be one of ${agentProviders.join(', ')}`;
    case 'url':
      return URL.canParse(text) ? undefined : 'must be an absolute URL';
    case 'maxTurns':
      return isCount(text, MAX_AGENT_TURNS);
    case 'maxTokens':
      return isCount(text, MAX_AGENT_TOKENS);
    case 'tools':
    case 'approve':
      return 'must be FEEL that returns a list of element ids, such as =["searchOrders"]';
    case 'approvers':
      return 'must be FEEL that returns a list of groups, such as =["support"]';
    case 'headers':
      return 'must be FEEL that returns a context, or be set by name, such as headers.Authorization';
    default:
      if (name === 'model' && text.length > MAX_MODEL_NAME_LENGTH)
        return `must have at most ${MAX_MODEL_NAME_LENGTH} characters`;
      return text === '' ? 'must have a value' : undefined;
  }
}

function isCount(text: string, most: number): string | undefined {
  return countOf(text, most) === undefined ? `must be a whole number from 1 to ${most}` : undefined;
}

function headerProblems(element: BpmnElement): string[] {
  const headers = element.extension('taskHeaders')?.children('header') ?? [];
  return headers.flatMap((header) => {
    const name = header.attribute('key') ?? '';
    const value = header.attribute('value') ?? '';
    if (!(agentHeaders as readonly string[]).includes(name))
      return [`the task header ${name} is not known. The headers are ${agentHeaders.join(', ')}.`];
    if (name !== 'retryBackoff' || value === '') return [];
    const milliseconds = parseDuration(value);
    return milliseconds !== undefined && milliseconds <= MAX_BACKOFF_MS
      ? []
      : [
          `the task header retryBackoff must be a duration of up to 24 hours, such as PT10S, not ${JSON.stringify(value.slice(0, 100))}`,
        ];
  });
}
