/** A receive task without a message waited until code signaled its execution. Here it waits for a message. */
import type { Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { addRootElement } from '../../xml/edit.js';

export const receiveTask: Rule = (element, context) => {
  if (!isBpmn(element, 'receiveTask') || element.getAttribute('messageRef')) return;
  const name = element.getAttribute('id') ?? 'receiveTask';
  const id = context.newID(`Message_${name}`);
  addRootElement(element, 'message', { id, name });
  element.setAttribute('messageRef', id);
  context.find(
    'converted',
    element,
    `It waits for the message "${name}", which is published instead of a signal to its execution.`,
  );
};
