/** Tasks that are activities, workflows, or Nexus operations on Temporal: their task headers are complete and known. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import {
  expressionHeaders,
  headerProblem,
  isTemporalTaskType,
  RESULT_VARIABLE,
  TEMPORAL_TASK_PREFIX,
  temporalTaskHeaders,
  temporalTaskTypes,
  type TemporalTaskType,
} from '@perdure/lib/model-files/temporal-tasks.js';
import { parseFeel } from '@perdure/feel/parse.js';
import type { BpmnElement } from '../../read/document.js';

/** Names that the expressions about the end of an execution see. */
const SEEN = ['response', 'error', 'bpmnError'];

export function checkTemporalTask(element: BpmnElement, problems: Diagnostics): void {
  const type = element.extension('taskDefinition')?.attribute('type');
  if (!type?.startsWith(TEMPORAL_TASK_PREFIX)) return;
  if (!isTemporalTaskType(type)) return problems.error(element.id, unknownType(element, type));
  if (element.type === 'adHocSubProcess')
    return problems.error(
      element.id,
      `${element.id} has the job type ${type}, but only a job worker can drive an ad-hoc sub-process. Give it another job type.`,
    );
  const headers = headersOf(element);
  for (const why of [...missing(type, headers), ...wrong(type, headers)])
    problems.error(element.id, `${element.id} has the job type ${type}, but ${why}`);
}

function unknownType(element: BpmnElement, type: string): string {
  return `${element.id} has the job type ${type}, which is not known. The types that start with ${TEMPORAL_TASK_PREFIX} are ${temporalTaskTypes.join(', ')}.`;
}

function headersOf(element: BpmnElement): Map<string, string> {
  const headers = element.extension('taskHeaders')?.children('header') ?? [];
  return new Map(headers.map((header) => [header.attribute('key') ?? '', header.attribute('value') ?? '']));
}

function missing(type: TemporalTaskType, headers: ReadonlyMap<string, string>): string[] {
  return Object.entries(temporalTaskHeaders[type])
    .filter(([name, { isRequired }]) => isRequired && !headers.get(name))
    .map(([name]) => `the task header ${name} is missing. Add it.`);
}

function wrong(type: TemporalTaskType, headers: ReadonlyMap<string, string>): string[] {
  const rules = temporalTaskHeaders[type];
  return [...headers].flatMap(([name, text]) => {
    if (name === '' || text === '' || name === RESULT_VARIABLE) return [];
    if ((expressionHeaders as readonly string[]).includes(name)) return feelProblems(name, text, SEEN);
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined)
      return [
        `the task header ${name} is not known. The headers are ${[...Object.keys(rules), RESULT_VARIABLE, ...expressionHeaders].join(', ')}.`,
      ];
    if (text.startsWith('=')) return feelProblems(name, text, []);
    const why = headerProblem(rule.kind, text);
    return why === undefined ? [] : [`the task header ${name} ${why}, not ${JSON.stringify(text.slice(0, 100))}`];
  });
}

function feelProblems(name: string, text: string, names: readonly string[]): string[] {
  const parsed = parseFeel(text.replace(/^\s*=/, ''), { names });
  if (parsed.ok) return [];
  const [{ message, line, column }] = parsed.errors as [(typeof parsed.errors)[number]];
  return [`the task header ${name} is not FEEL (line ${line}, column ${column}): ${message}`];
}
