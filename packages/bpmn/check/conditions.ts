/** Conditions of sequence flows: BPMN 2.0.2 section 8.4.13 and table 8.60. */
import type { Expression } from '@perdure/engine/model/graph.js';
import type { ModelCompiler } from '../compile/compiler.js';
import type { BpmnElement } from '../read/document.js';
import { foreignAsFeel } from './foreign-expression.js';
import { foreignNamesAt } from './foreign-names.js';

/** The condition of `flow`; undefined if it has none or an empty one, which modelers leave behind. */
export function compileCondition(
  flow: BpmnElement,
  source: BpmnElement,
  compiler: ModelCompiler,
): Expression | undefined {
  const condition = flow.children('conditionExpression')[0];
  if (!condition) return undefined;
  if (condition.text === '') {
    const elsewhere = condition.attribute('resource') ?? condition.attribute('language');
    if (elsewhere) {
      compiler.problem(
        'error',
        flow,
        `The condition of sequence flow ${flow.id} has no text, only ${JSON.stringify(elsewhere)}. Write it in FEEL, =..., or remove the conditionExpression.`,
      );
      return undefined;
    }
    compiler.problem(
      'warning',
      flow,
      `The condition of sequence flow ${flow.id} is empty, so the flow is treated as unconditional. Remove the conditionExpression or write a condition.`,
    );
    return undefined;
  }
  if (!mayHaveConditions(source)) {
    compiler.problem('error', flow, `A sequence flow that leaves a ${source.type} cannot have a condition`);
    return undefined;
  }
  const feel = isFeel(condition) ? condition.text : foreignAsFeel(condition.text, foreignNamesAt(flow));
  if (feel !== undefined) return compiler.feel(flow, feel, `condition of sequence flow ${flow.id}`);
  const language = languageOf(condition);
  compiler.problem(
    'error',
    flow,
    `The condition of sequence flow ${flow.id} is not FEEL${language ? ` but ${language}` : ''}. Rewrite ${JSON.stringify(condition.text)} in FEEL: =...`,
  );
  return undefined;
}

function mayHaveConditions({ type }: BpmnElement): boolean {
  return !type.endsWith('Event') && type !== 'parallelGateway' && type !== 'eventBasedGateway';
}

/** Whether an expression declares itself to be FEEL, by a leading equals sign or its language. */
export function isFeel(expression: BpmnElement): boolean {
  return expression.text.startsWith('=') || /feel/i.test(languageOf(expression) ?? '');
}

/** The expression's own language, otherwise the file's. */
export function languageOf(expression: BpmnElement): string | undefined {
  const own = expression.attribute('language');
  if (own) return own;
  let definitions = expression;
  while (definitions.parent) definitions = definitions.parent;
  return definitions.attribute('expressionLanguage');
}
