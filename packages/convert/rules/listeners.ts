/** Code that the other engine ran at events of an element: execution listeners and task listeners become jobs. */
import { insteadOfListener, hasListeners, LISTENER_PHASES } from '@perdure/lib/model-files/listener-phases.js';
import type { ListenedElement, ListenerPhase } from '@perdure/lib/model-files/listener-phases.js';
import type { Context, Rule } from '../context.js';
import { isBpmn } from '../names.js';
import { quoted } from '../report.js';
import { elementsOf, type Element } from '../xml/document.js';
import {
  appendZeebe,
  bpmnChild,
  engineChildren,
  engineExtensions,
  remove,
  textOf,
  zeebeExtension,
} from '../xml/edit.js';
import { typeNameOf } from './elements/work.js';

const OTHERS = ['eventListener', 'mapException', 'validation'];

/** Events of task listeners. A task is late without asking a job. */
const TASK_EVENTS: ReadonlyMap<string, string> = new Map([
  ['create', 'creating'],
  ['assignment', 'assigning'],
  ['update', 'updating'],
  ['complete', 'completing'],
  ['delete', 'canceling'],
]);

export const listeners: Rule = (element, context) => {
  const jobs = new Set<string>();
  for (const listener of engineExtensions(element, 'executionListener')) {
    const why = convertListener(element, listener, jobs, context);
    if (why !== undefined) context.find('unsupported', listener, `${describe(listener)} was left out. ${why}`);
    remove(listener);
  }
  for (const listener of engineExtensions(element, 'taskListener')) {
    const why = convertTaskListener(element, listener, jobs, context);
    if (why !== undefined) context.find('unsupported', listener, `${describe(listener)} was left out. ${why}`);
    remove(listener);
  }
  for (const listener of engineExtensions(element, ...OTHERS)) {
    context.find(
      'unsupported',
      listener,
      `${describe(listener)} was left out. Do its work in a separate task, or in the worker of the element.`,
    );
    remove(listener);
  }
};

/** @returns the reason why it has no equivalent, and what to do instead */
function convertListener(element: Element, listener: Element, jobs: Set<string>, context: Context): string | undefined {
  const phase = LISTENER_PHASES.find((known) => known === listener.getAttribute('event'));
  if (!phase || !isBpmn(element) || !hasListeners(element.localName!))
    return 'Do its work in a separate task, or in the worker of the element.';
  const instead = insteadOfListener(asListened(element), phase);
  if (instead !== undefined) return `It would never run there: ${instead}.`;
  const why = addJob(element, listener, { container: 'executionListeners', event: phase }, jobs, context);
  if (why === undefined) reviewMoment(element, listener, phase, context);
  return why;
}

function convertTaskListener(
  element: Element,
  listener: Element,
  jobs: Set<string>,
  context: Context,
): string | undefined {
  const given = listener.getAttribute('event') ?? '';
  const event = TASK_EVENTS.get(given);
  if (!isBpmn(element) || element.localName !== 'userTask')
    return 'Do its work in a separate task, or in the worker of the element.';
  if (given === 'timeout')
    return 'Put a non-interrupting timer boundary event at the task, with a service task after it.';
  if (!event) return 'Do its work in a separate task.';
  const why = addJob(element, listener, { container: 'taskListeners', event }, jobs, context);
  if (why === undefined)
    context.find(
      'review',
      listener,
      `${describe(listener)} could set variables. The job of a task listener sets none: it can correct the task, or deny the request.`,
    );
  if (why === undefined && event === 'canceling')
    context.find(
      'review',
      listener,
      `${describe(listener)} ran also when the instance was canceled. It runs only when an event interrupts the task now.`,
    );
  return why;
}

/** @returns the reason why it has no equivalent */
function addJob(
  element: Element,
  listener: Element,
  { container, event }: { container: 'executionListeners' | 'taskListeners'; event: string },
  jobs: Set<string>,
  context: Context,
): string | undefined {
  const id = element.getAttribute('id') ?? element.localName!;
  const script = engineChildren(listener, 'script')[0];
  const code = codeOf(listener) ?? (script ? textOf(script) : id);
  const type = context.jobType(codeOf(listener) === undefined ? `${id}-${event}` : typeNameOf(code), code);
  if (jobs.has(`${event} ${type}`)) return 'The element already has a listener with the same code for this event.';
  jobs.add(`${event} ${type}`);
  const created = appendZeebe(zeebeExtension(element, container), container.slice(0, -1), { eventType: event, type });
  convertFields(listener, created, context);
  context.jobs.push({ type, elementID: id, performedBy: code });
  context.find('converted', listener, `${describe(listener)} is a job of the type ${quoted(type)} now.`);
  return undefined;
}

function asListened(element: Element): ListenedElement {
  return {
    type: element.localName!,
    definitions: elementsOf(element).flatMap((child) =>
      isBpmn(child) && child.localName!.endsWith('EventDefinition') ? [child.localName!] : [],
    ),
    instantiates: element.getAttribute('instantiate') === 'true',
  };
}

/** Texts of its fields become headers. */
function convertFields(listener: Element, created: Element, context: Context): void {
  const fields = engineChildren(listener, 'field');
  const texts = fields.filter((field) => textOfField(field) !== undefined);
  const headers = texts.length > 0 ? appendZeebe(created, 'taskHeaders') : undefined;
  for (const field of fields) {
    const key = field.getAttribute('name') ?? '';
    const value = textOfField(field);
    if (value !== undefined) appendZeebe(headers!, 'header', { key, value });
    else
      context.find(
        'unsupported',
        field,
        `The field ${key} of a listener is an expression and was left out: headers are constant. Compute it in the worker.`,
      );
  }
}

function textOfField(field: Element): string | undefined {
  const content = engineChildren(field, 'string')[0];
  return field.getAttribute('stringValue') ?? (content ? textOf(content) : undefined);
}

function reviewMoment(element: Element, listener: Element, phase: ListenerPhase, context: Context): void {
  if (bpmnChild(element, 'multiInstanceLoopCharacteristics'))
    context.find(
      'review',
      listener,
      `${describe(listener)} ran once for the whole multi-instance activity. It runs for each of its instances now.`,
    );
  if (phase === 'end')
    context.find(
      'review',
      listener,
      `${describe(listener)} ran also when the element was interrupted or canceled. It runs only when it completes now.`,
    );
}

function codeOf(listener: Element): string | undefined {
  return (
    ['class', 'delegateExpression', 'expression'].map((name) => listener.getAttribute(name)).find(Boolean) ?? undefined
  );
}

function describe(listener: Element): string {
  const event = listener.getAttribute('event');
  const code = codeOf(listener);
  return `The ${listener.localName}${event ? ` for "${event}"` : ''}${code ? ` ${quoted(code)}` : ''}`;
}
