/** Assignment, dates, priority, and form of a user task; the form of a start event. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { expressionAsFeel, holdsJuel } from '@perdure/juel/text.js';
import { namesAt } from '../../loop-names.js';
import { takeAttribute, zeebeExtension } from '../../xml/edit.js';
import type { Element } from '../../xml/document.js';

/** Zeebe's extension element and attribute for an engine's attribute. */
const ATTRIBUTES: readonly (readonly [from: string, extension: string, to: string])[] = [
  ['assignee', 'assignmentDefinition', 'assignee'],
  ['dueDate', 'taskSchedule', 'dueDate'],
  ['followUpDate', 'taskSchedule', 'followUpDate'],
  ['priority', 'priorityDefinition', 'priority'],
  ['formKey', 'formDefinition', 'formKey'],
];

export const userTask: Rule = (element, context) => {
  if (!isBpmn(element, 'userTask', 'startEvent')) return;
  for (const [from, extension, to] of ATTRIBUTES) {
    if (extension !== 'formDefinition' && !isBpmn(element, 'userTask')) continue;
    const given = takeAttribute(element, from);
    if (given === undefined) continue;
    const feel = withZone(element, context.feel(element, given, from), to, context);
    zeebeExtension(element, extension).setAttribute(to, feel);
  }
  for (const name of ['candidateUsers', 'candidateGroups']) candidates(element, name, context);
  formReference(element, context);
};

/** A literal date and time without a zone, in whatever zone the other engine's server had. */
const LOCAL_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

function withZone(element: Element, text: string, attribute: string, context: Context): string {
  if (!attribute.endsWith('Date') || !LOCAL_DATE_TIME.test(text)) return text;
  context.find('review', element, `The ${attribute} ${text} has no time zone and was taken as UTC.`);
  return `${text}Z`;
}

/** Names separated by commas, each a text or an expression. */
function candidates(element: Element, name: string, context: Context): void {
  const given = takeAttribute(element, name);
  if (given === undefined) return;
  zeebeExtension(element, 'assignmentDefinition').setAttribute(name, candidatesAsFeel(element, name, given, context));
}

function candidatesAsFeel(element: Element, name: string, given: string, context: Context): string {
  if (!holdsJuel(given)) return given;
  // oxlint-disable-next-line perdure/linear-patterns -- a conversion has a limit of time
  const each = given.split(/,(?![^{]*\})/).map((one) => expressionAsFeel(one.trim(), namesAt(element)));
  if (each.length === 1 || each.includes(undefined)) return context.feel(element, given, name);
  return `=flatten([${each.join(', ')}])`;
}

/** `formRef` names a deployed form, as `formId` does here. */
function formReference(element: Element, context: Context): void {
  const formID = takeAttribute(element, 'formRef');
  const binding = takeAttribute(element, 'formRefBinding');
  const version = takeAttribute(element, 'formRefVersion');
  if (formID === undefined) return;
  const definition = zeebeExtension(element, 'formDefinition');
  definition.setAttribute('formId', context.feel(element, formID, 'formRef'));
  if (binding === 'deployment') definition.setAttribute('bindingType', 'deployment');
  if (binding === 'version')
    context.find(
      'review',
      element,
      `The form was bound to version ${version}; the newest version is shown now. Bind it to a version tag, or deploy it with the process.`,
    );
}
