/** Expressions in the text of BPMN elements, and templates in the names and codes of definitions. */
import type { Rule } from '../context.js';
import { namesAround } from '../loop-names.js';
import { isBpmn } from '../names.js';
import { quoted } from '../report.js';
import { holdsJuel } from '@perdure/juel/text.js';
import { engineAttribute, setText, textOf } from '../xml/edit.js';

/** Elements whose text is an expression, with what to call it. */
const EXPRESSIONS: ReadonlyMap<string, string> = new Map([
  ['conditionExpression', 'condition'],
  ['completionCondition', 'completion condition'],
  ['condition', 'condition'],
  ['loopCardinality', 'loop cardinality'],
  ['timeDate', 'date of the timer'],
  ['timeDuration', 'duration of the timer'],
  ['timeCycle', 'cycle of the timer'],
]);

export const expressions: Rule = (element, context) => {
  const what = isBpmn(element) ? EXPRESSIONS.get(element.localName!) : undefined;
  if (what === undefined) return;
  const text = textOf(element);
  if (holdsJuel(text)) {
    const names = isBpmn(element, 'loopCardinality') ? namesAround(element.parentElement!.parentElement!) : undefined;
    const feel = context.feel(element, text, what, names);
    if (feel === text) return;
    setText(element, feel);
    element.removeAttribute('language');
    return;
  }
  const resource = engineAttribute(element, 'resource');
  if (resource !== undefined)
    context.find('unsupported', element, `The ${what} is in the resource ${quoted(resource)}. Write it in FEEL: =...`);
};

/** Names and codes that may be expressions, by type of the definition. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['message', 'name'],
  ['signal', 'name'],
  ['error', 'errorCode'],
  ['escalation', 'escalationCode'],
]);

export const definitionNames: Rule = (element, context) => {
  const attribute = isBpmn(element) ? NAMED.get(element.localName!) : undefined;
  const text = attribute && element.getAttribute(attribute);
  if (text && holdsJuel(text)) element.setAttribute(attribute, context.feel(element, text, attribute));
};
