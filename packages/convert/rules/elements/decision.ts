/** Business rule tasks that call a decision. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { takeAttribute, zeebeExtension } from '../../xml/edit.js';
import type { Element } from '../../xml/document.js';

export const decision: Rule = (element, context) => {
  if (!isBpmn(element, 'businessRuleTask')) return;
  const decisionID = takeAttribute(element, 'decisionRef');
  if (decisionID === undefined) return;
  const called = zeebeExtension(element, 'calledDecision');
  called.setAttribute('decisionId', context.feel(element, decisionID, 'decision'));
  called.setAttribute('resultVariable', takeAttribute(element, 'resultVariable') ?? 'decisionResult');
  const binding = takeAttribute(element, 'decisionRefBinding');
  const version = takeAttribute(element, 'decisionRefVersion');
  const tag = takeAttribute(element, 'decisionRefVersionTag');
  if (binding === 'deployment') called.setAttribute('bindingType', 'deployment');
  if (binding === 'versionTag' && tag !== undefined) {
    called.setAttribute('bindingType', 'versionTag');
    called.setAttribute('versionTag', tag);
  }
  if (binding === 'version')
    context.find('review', element, `Version ${version} of the decision was called; the newest version is called now.`);
  reviewShape(element, takeAttribute(element, 'mapDecisionResult') ?? 'resultList', context);
};

/** The mapper of `singleEntry` gives the value of the table, as here. */
function reviewShape(element: Element, mapper: string, context: Context): void {
  if (mapper === 'singleResult')
    context.find(
      'review',
      element,
      'The result was a map of the outputs (mapDecisionResult="singleResult"). It is the value of the table now, and a context only if the table has several outputs. Check what reads it.',
    );
  if (mapper === 'resultList' || mapper === 'collectEntries')
    context.find(
      'review',
      element,
      `The result was a list (mapDecisionResult="${mapper}"). It is the value of the table now, and a list only if its hit policy collects. Check what reads it.`,
    );
}
