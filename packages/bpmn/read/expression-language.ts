/** The language of an expression: BPMN 2.0.2 section 8.4.6. */
import type { BpmnElement } from './document.js';

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
