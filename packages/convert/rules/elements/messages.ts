/** Messages that are caught: their correlation keys are in the model here, and with the caller there. */
import type { Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import { bpmnChildren, hasZeebeExtension } from '../../xml/edit.js';
import { allElements, type Element } from '../../xml/document.js';

export const messages: Rule = (element, context) => {
  if (!isBpmn(element, 'definitions') || !context.isForeign) return;
  const awaited = new Set(
    allElements(element).flatMap((each) => (isWaitedFor(each) ? (each.getAttribute('messageRef') ?? []) : [])),
  );
  for (const message of bpmnChildren(element, 'message')) {
    // A message that the conversion has added has its own finding.
    const isAdded = message.lineNumber === undefined;
    if (isAdded || !awaited.has(message.getAttribute('id')!) || hasZeebeExtension(message, 'subscription')) continue;
    context.find(
      'converted',
      message,
      `The publisher of ${quoted(message.getAttribute('name') ?? '')} chose the instance. Give the message a correlation key (zeebe:subscription) if several instances wait for it.`,
    );
  }
};

/** By an instance that runs. */
function isWaitedFor(element: Element): boolean {
  if (isBpmn(element, 'receiveTask')) return true;
  if (!isBpmn(element, 'messageEventDefinition')) return false;
  const event = element.parentElement!;
  if (isBpmn(event, 'startEvent')) return !isBpmn(event.parentElement!, 'process');
  return isBpmn(event, 'intermediateCatchEvent', 'boundaryEvent');
}
