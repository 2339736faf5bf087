/** Code that the other engine ran at events of an element. */
import type { Rule } from '../context.js';
import { quoted } from '../report.js';
import { engineExtensions, remove } from '../xml/edit.js';
import type { Element } from '../xml/document.js';

const LISTENERS = ['executionListener', 'taskListener', 'eventListener', 'mapException', 'validation'];

export const listeners: Rule = (element, context) => {
  for (const listener of engineExtensions(element, ...LISTENERS)) {
    context.find(
      'unsupported',
      listener,
      `${describe(listener)} was left out. Do its work in a separate task, or in the worker of the element.`,
    );
    remove(listener);
  }
};

function describe(listener: Element): string {
  const event = listener.getAttribute('event');
  const code = ['class', 'delegateExpression', 'expression'].map((name) => listener.getAttribute(name)).find(Boolean);
  return `The ${listener.localName}${event ? ` for "${event}"` : ''}${code ? ` ${quoted(code)}` : ''}`;
}
