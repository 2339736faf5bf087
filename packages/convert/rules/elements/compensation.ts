/** Compensation handlers run one after the other here, the latest activity first. */
import type { Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { allElements } from '../../xml/document.js';
import { bpmnChild } from '../../xml/edit.js';

export const compensation: Rule = (element, context) => {
  if (!isBpmn(element, 'process') || !context.isForeign) return;
  const handlers = allElements(element).filter(
    (event) => isBpmn(event, 'boundaryEvent') && bpmnChild(event, 'compensateEventDefinition'),
  );
  if (handlers.length > 1)
    context.find(
      'review',
      element,
      `Its ${handlers.length} compensation handlers ran all at once. They run one after the other now, the latest activity first.`,
    );
};
