/** Conditions of sequence flows: BPMN 2.0.2 section 8.4.13 and table 8.60. */
import type { Expression } from '@perdure/engine/model/graph.js';
import { expressionAsFeel, isJuel } from '@perdure/juel/text.js';
import type { BpmnElement } from '../read/document.js';
import { isFeel, languageOf } from '../read/expression-language.js';
import type { ModelCompiler } from './compiler.js';
import { namesAt } from './juel-names.js';
import { isXPath, xpathAsFeel } from './xpath.js';

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
  const feel = feelOf(condition, flow);
  if (feel !== undefined) return compiler.feel(flow, feel, `condition of sequence flow ${flow.id}`);
  const language = languageOf(condition);
  compiler.problem(
    'error',
    flow,
    `The condition of sequence flow ${flow.id} is not FEEL${language ? ` but ${language}` : ''}. Rewrite ${JSON.stringify(condition.text)} in FEEL: =...`,
  );
  return undefined;
}

/** Undefined if the condition is in another language, or has no certain equivalent. */
function feelOf(condition: BpmnElement, flow: BpmnElement): string | undefined {
  if (isFeel(condition)) return condition.text;
  if (isJuel(condition.text)) return expressionAsFeel(condition.text, namesAt(flow));
  return isXPath(condition.text) ? xpathAsFeel(condition.text) : undefined;
}

function mayHaveConditions({ type }: BpmnElement): boolean {
  return !type.endsWith('Event') && type !== 'parallelGateway' && type !== 'eventBasedGateway';
}
