/** Activities, events, and gateways without an id: nothing could refer to their state. */
import type { Rule } from '../context.js';
import { isBpmn } from '../names.js';

const FLOW_NODE = /(?:Task|Event|Gateway|^task|^(?:sub|adHocSub)Process|^transaction|^callActivity)$/;

export const missingIDs: Rule = (element, context) => {
  const { localName } = element;
  if (!isBpmn(element) || !FLOW_NODE.test(localName!) || element.getAttribute('id')) return;
  element.setAttribute('id', context.newID(`${localName}_1`));
  context.find('converted', element, `A ${localName} without an id got one.`);
};
