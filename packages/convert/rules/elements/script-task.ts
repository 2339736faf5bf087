/** Script tasks: scripts in FEEL stay scripts, JUEL is translated, and other languages need a job worker. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import { expressionAsFeel, holdsJuel } from '@perdure/juel/text.js';
import { namesAt } from '../../loop-names.js';
import { bpmnChild, changeType, remove, takeAttribute, textOf, zeebeExtension } from '../../xml/edit.js';
import type { Element } from '../../xml/document.js';

export const scriptTask: Rule = (element, context) => {
  if (!isBpmn(element, 'scriptTask')) return;
  const format = element.getAttribute('scriptFormat') ?? '';
  const script = bpmnChild(element, 'script');
  const text = script ? textOf(script) : '';
  const resource = takeAttribute(element, 'resource');
  const resultVariable = takeAttribute(element, 'resultVariable') ?? takeAttribute(element, 'resultVariableName');
  if (resource === undefined && isFeel(format, text, context)) {
    if (resultVariable !== undefined) zeebeExtension(element, 'script').setAttribute('resultVariable', resultVariable);
    return;
  }
  const feel = /^juel$/i.test(format) && holdsJuel(text) ? expressionAsFeel(text, namesAt(element)) : undefined;
  if (feel !== undefined) asFeelScript(element, `=${feel}`, resultVariable);
  else asJob(element, { format, performedBy: resource ?? text, resultVariable }, context);
};

/** Without a format, a script is FEEL, except in Activiti and Flowable. */
function isFeel(format: string, text: string, { isForeign }: Context): boolean {
  return /feel/i.test(format) || (format === '' && (!isForeign || text === '' || text.startsWith('=')));
}

function asFeelScript(element: Element, expression: string, resultVariable: string | undefined): void {
  const script = zeebeExtension(element, 'script');
  script.setAttribute('expression', expression);
  if (resultVariable !== undefined) script.setAttribute('resultVariable', resultVariable);
  element.removeAttribute('scriptFormat');
  removeScript(element);
}

interface Code {
  format: string;
  performedBy: string;
  resultVariable: string | undefined;
}

function asJob(element: Element, { format, performedBy, resultVariable }: Code, context: Context): void {
  removeScript(element);
  element.removeAttribute('scriptFormat');
  const task = changeType(element, 'serviceTask');
  const elementID = task.getAttribute('id') ?? 'script';
  const type = context.jobType(elementID, elementID);
  zeebeExtension(task, 'taskDefinition').setAttribute('type', type);
  context.jobs.push({ type, elementID, performedBy, ...(resultVariable && { resultVariable }) });
  context.find(
    'converted',
    task,
    `A job worker for the type ${quoted(type)} performs it instead of a script in ${format || 'another language'}.`,
  );
}

function removeScript(element: Element): void {
  const script = bpmnChild(element, 'script');
  if (script) remove(script);
}
