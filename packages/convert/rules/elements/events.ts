/** Start events, signals, and conditions with extensions. */
import type { Rule } from '../../context.js';
import { booleanOf } from '@perdure/xml/names.js';
import type { Element } from '../../xml/document.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import {
  bpmnChild,
  bpmnChildren,
  changeType,
  engineExtensions,
  remove,
  setText,
  takeAttribute,
  textOf,
} from '../../xml/edit.js';

export const startEvent: Rule = (element, context) => {
  if (!isBpmn(element, 'startEvent')) return;
  const initiator = takeAttribute(element, 'initiator');
  if (initiator !== undefined)
    context.find(
      'unsupported',
      element,
      `The variable ${quoted(initiator)} is not set to who starts the instance. Pass it when starting.`,
    );
};

/** A timer start event fires at a date or in a cycle: a duration has no beginning to count from. */
export const timerStart: Rule = (element) => {
  if (!isBpmn(element, 'timeDuration')) return;
  const start = element.parentElement!.parentElement!;
  if (!isBpmn(start, 'startEvent') || !isBpmn(start.parentElement!, 'process')) return;
  const cycle = changeType(element, 'timeCycle');
  setText(cycle, `R1/${textOf(cycle)}`);
};

/** An intermediate timer event fires once, so its cycle is the duration until then. */
export const timerCycle: Rule = (element, context) => {
  if (!isBpmn(element, 'timeCycle') || !isBpmn(element.parentElement!.parentElement!, 'intermediateCatchEvent')) return;
  const duration = /^R\d*\/(P[^/]+)$/.exec(textOf(element))?.[1];
  if (duration === undefined) return;
  setText(changeType(element, 'timeDuration'), duration);
  context.find('review', element, `An intermediate timer fires once: its cycle became the duration ${duration}.`);
};

/** A literal date without a zone. */
export const timerDate: Rule = (element, context) => {
  if (!isBpmn(element, 'timeDate')) return;
  const text = textOf(element);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)) return;
  setText(element, `${text}Z`);
  context.find('review', element, `The date ${text} has no time zone and was taken as UTC.`);
};

export const signalPayload: Rule = (element, context) => {
  if (!isBpmn(element, 'signalEventDefinition')) return;
  for (const mapping of engineExtensions(element, 'in')) {
    remove(mapping);
    context.find(
      'unsupported',
      element,
      'The payload of the signal was left out. Map variables in inputs of the event.',
    );
  }
};

export const conditional: Rule = (element, context) => {
  if (!isBpmn(element, 'conditionalEventDefinition')) return;
  const filters = ['variableName', 'variableEvents'].filter((name) => takeAttribute(element, name) !== undefined);
  if (filters.length > 0)
    context.find(
      'review',
      element,
      `${filters.join(' and ')} was removed: the condition is evaluated whenever a variable that it reads changes.`,
    );
  if (context.isForeign && !isInterrupting(element.parentElement!))
    context.find(
      'review',
      element,
      'It fired at every change of a variable while its condition was true. It fires once now, each time its condition becomes true.',
    );
};

function isInterrupting(event: Element): boolean {
  const attribute = isBpmn(event, 'boundaryEvent') ? 'cancelActivity' : 'isInterrupting';
  return booleanOf(event.getAttribute(attribute) ?? '') ?? true;
}

/** BPMN 2.0.2 table 8.60: a flow that leaves a start event has no condition. */
export const startFlow: Rule = (element, context) => {
  if (!isBpmn(element, 'process', 'subProcess', 'transaction')) return;
  const starts = new Set(bpmnChildren(element, 'startEvent').map((start) => start.getAttribute('id')));
  for (const flow of bpmnChildren(element, 'sequenceFlow')) {
    const condition = bpmnChild(flow, 'conditionExpression');
    if (!condition || !starts.has(flow.getAttribute('sourceRef'))) continue;
    context.find(
      'review',
      flow,
      `The condition ${quoted(textOf(condition))} of a flow that leaves a start event was removed. Use a gateway.`,
    );
    remove(condition);
  }
};
