/** Tasks and events for which the other engine ran code: here a job worker performs them. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import { expressionAsFeel, holdsJuel } from '@perdure/juel/text.js';
import { namesAt } from '../../loop-names.js';
import {
  bpmnChild,
  engineChildren,
  engineExtensions,
  hasZeebeExtension,
  remove,
  takeAttribute,
  textOf,
  zeebeExtension,
  appendZeebe,
} from '../../xml/edit.js';
import { addInput, convertGroup } from '../mappings.js';
import type { Element } from '../../xml/document.js';

const TASKS = ['serviceTask', 'sendTask', 'businessRuleTask'] as const;

export const work: Rule = (element, context) => {
  if (isBpmn(element, ...TASKS)) convertWork(element, element, context);
  if (isBpmn(element, 'intermediateThrowEvent', 'endEvent')) {
    const definition = bpmnChild(element, 'messageEventDefinition');
    if (definition) convertWork(element, definition, context);
  }
};

/** @param holder has the attributes that name the code: the task, or the message definition of an event */
function convertWork(element: Element, holder: Element, context: Context): void {
  const connectors = [...new Set([element, holder])].flatMap((each) => takeConnectors(element, each, context));
  const code = takeCode(holder, context) ?? connectors[0];
  const resultVariable = takeAttribute(holder, 'resultVariable') ?? takeAttribute(holder, 'resultVariableName');
  const isDecided = hasZeebeExtension(element, 'calledDecision') || hasZeebeExtension(element, 'taskDefinition');
  if (isDecided || (code === undefined && element !== holder)) return;
  const id = element.getAttribute('id') ?? element.localName!;
  const { type, performedBy } = code ?? { type: id, performedBy: '' };
  zeebeExtension(element, 'taskDefinition').setAttribute('type', type);
  convertFields(element, holder, context);
  context.jobs.push({ type, elementID: id, performedBy, ...(resultVariable && { resultVariable }) });
  context.find('converted', element, workNeeded(type, performedBy, resultVariable));
}

function workNeeded(type: string, performedBy: string, resultVariable: string | undefined): string {
  const by = performedBy === '' ? '' : ` instead of ${quoted(performedBy)}`;
  const sets = resultVariable === undefined ? '' : ` It sets the variable ${resultVariable}.`;
  return `A job worker for the type ${quoted(type)} performs it${by}.${sets}`;
}

interface Code {
  type: string;
  performedBy: string;
}

function takeCode(holder: Element, context: Context): Code | undefined {
  const kind = takeAttribute(holder, 'type');
  const topic = takeAttribute(holder, 'topic');
  const className = takeAttribute(holder, 'class');
  const delegate = takeAttribute(holder, 'delegateExpression');
  const expression = takeAttribute(holder, 'expression');
  if (topic !== undefined) return { type: context.feel(holder, topic, 'topic'), performedBy: topic };
  const code = className ?? delegate ?? expression;
  if (code !== undefined) return { type: context.jobType(typeNameOf(code), code), performedBy: code };
  return kind === undefined ? undefined : { type: context.jobType(kebab(kind), kind), performedBy: `${kind} task` };
}

/** `org.acme.ChargeCard`, `${chargeCard}`, and `${chargeCard.execute(execution)}` all become `charge-card`. */
export function typeNameOf(code: string): string {
  if (holdsJuel(code)) {
    const [bean, method] = code.match(/[A-Za-z_]\w*/g) ?? [];
    // An expression without a name, such as a constant.
    if (bean === undefined || CONSTANTS.has(bean)) return 'expression';
    return method === undefined || !code.includes(`.${method}`) || method === 'execute'
      ? kebab(bean)
      : `${kebab(bean)}.${kebab(method)}`;
  }
  return (
    kebab(code.slice(Math.max(code.lastIndexOf('.'), code.lastIndexOf('$')) + 1).replace(/(?:Java)?Delegate$/, '')) ||
    code
  );
}

const CONSTANTS = new Set(['true', 'false', 'null']);

function kebab(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

/** A task has one connector; further ones would be ignored there as well. */
function takeConnectors(element: Element, holder: Element, context: Context): Code[] {
  return engineExtensions(holder, 'connector').map((connector) => {
    const id = engineChildren(connector, 'connectorId')[0];
    for (const group of engineChildren(connector, 'inputOutput')) convertGroup(element, group, context);
    remove(connector);
    const name = id ? textOf(id) : 'connector';
    return { type: context.jobType(kebab(name), name), performedBy: `connector ${name}` };
  });
}

/** Fields of Java code: texts become headers, expressions inputs. */
function convertFields(element: Element, holder: Element, context: Context): void {
  for (const field of [
    ...engineExtensions(element, 'field'),
    ...(element === holder ? [] : engineExtensions(holder, 'field')),
  ]) {
    const name = field.getAttribute('name') ?? '';
    const [string, expression] = ['string', 'expression'].map((kind) => fieldValue(field, kind));
    remove(field);
    if (expression !== undefined) convertField(element, expression, name, context);
    else appendZeebe(zeebeExtension(element, 'taskHeaders'), 'header', { key: name, value: string ?? '' });
  }
}

function convertField(element: Element, expression: string, name: string, context: Context): void {
  const feel = expressionAsFeel(expression, namesAt(element));
  if (feel !== undefined) return addInput(element, `=${feel}`, name);
  context.find(
    'unsupported',
    element,
    `The field ${name} (${quoted(expression)}) has no certain equivalent in FEEL and was left out. Compute it in the worker.`,
  );
}

function fieldValue(field: Element, kind: string): string | undefined {
  const content = engineChildren(field, kind)[0];
  return field.getAttribute(kind === 'string' ? 'stringValue' : kind) ?? (content ? textOf(content) : undefined);
}

/** `R3/PT10M`: three attempts, ten minutes apart. `PT1M,PT10M`: one more attempt than there are intervals. */
function attemptsOf(cycle: string): { attempts: number; intervals: string[] } | undefined {
  const parts = cycle.split(',').map((part) => part.trim());
  if (parts.length > 1) {
    const areIntervals = parts.every((part) => /^P\w+$/.test(part));
    return areIntervals ? { attempts: parts.length + 1, intervals: parts } : undefined;
  }
  const [, attempts, interval] = /^R(\d{1,9})\/(.+)$/.exec(cycle.trim()) ?? [];
  return attempts === undefined ? undefined : { attempts: Number(attempts), intervals: [interval!] };
}

const NO_WAIT = /^P(?:0[YMWD])*(?:T(?:0[HMS])+)?$/;

/** Jobs have a number of attempts, and no time between them: the worker decides about that. */
export const retries: Rule = (element, context) => {
  for (const cycle of engineExtensions(element, 'failedJobRetryTimeCycle')) {
    const text = textOf(cycle);
    remove(cycle);
    if (!hasZeebeExtension(element, 'taskDefinition')) {
      context.find(
        'converted',
        element,
        `failedJobRetryTimeCycle was removed: only jobs have attempts (${quoted(text)}).`,
      );
      continue;
    }
    const read = attemptsOf(text);
    if (read === undefined) {
      context.find(
        'unsupported',
        element,
        `The attempts of failedJobRetryTimeCycle ${quoted(text)} are not a number and an interval, such as R3/PT10M, so the job has the default number of them. Set retries of its taskDefinition.`,
      );
      continue;
    }
    zeebeExtension(element, 'taskDefinition').setAttribute('retries', String(read.attempts));
    if (!read.intervals.every((interval) => NO_WAIT.test(interval)))
      context.find(
        'review',
        element,
        `The time between attempts (${quoted(text)}) has no equivalent: ${read.attempts} attempts follow at once. Fail the job with retryBackoff in its worker to delay the next one.`,
      );
  }
};
