/** Checks the extensions of Camunda 8 by their table: nothing that a model says is left out without a word. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { localName } from '@perdure/xml/names.js';
import type { BpmnElement } from '../read/document.js';
import type { Extension } from '../read/extension.js';
import { isTranslated } from '../read/foreign-attributes.js';
import { checkCombinations, ignoredCombinations } from './camunda8-combinations.js';
import { checkListeners, checkTaskListeners } from './listeners.js';
import { meaningsAt, rulesOf } from './camunda8-rules.js';
import { EXTENSION_ATTRIBUTES, reasonOf, verdictOf, type ElementRule } from './camunda8-table.js';

/** Attributes that are read in any namespace besides those of `isTranslated`: the time to live of a message. */
const READ_ATTRIBUTES: readonly string[] = ['ttl'];

/** Maximum entries listed in one warning. */
const MAX_NAMED = 20;

/** Reports extensions of Camunda 8 that do not run; those that are ignored in one warning at `holder`. */
export function checkCamunda8(holder: BpmnElement, elements: readonly BpmnElement[], problems: Diagnostics): void {
  const ignored = new Map<string, string>();
  for (const element of elements) {
    checkJob(element, problems);
    checkCombinations(element, problems);
    checkListeners(element, problems);
    checkTaskListeners(element, problems);
    for (const extension of element.extensions()) checkAttributes(element, extension, problems);
    for (const name of [...ignoredAt(element), ...ignoredCombinations(element), ...ignoredAttributesOf(element)])
      if (!ignored.has(name)) ignored.set(name, element.id);
  }
  if (ignored.size === 0) return;
  const named = [...ignored].slice(0, MAX_NAMED).map(([name, id]) => `${name} (first at ${id})`);
  const more = ignored.size > MAX_NAMED ? [`${ignored.size - MAX_NAMED} more`] : [];
  problems.warning(holder.id, `Extensions of Camunda 8 are ignored: ${[...named, ...more].join(', ')}`);
}

/** A job at an element whose work no job worker does: the model would run without its work. */
function checkJob(element: BpmnElement, problems: Diagnostics): void {
  const job = element.extensions().find(({ name }) => name === 'taskDefinition');
  if (element.type === 'adHocSubProcess') checkAdHoc(element, job, problems);
  if (!job || element.type !== 'scriptTask') return;
  problems.error(
    element.id,
    `Extension element ${job.qualifiedName} is not supported at ${element.type} ${element.id}: a script task evaluates FEEL. Use a service task if a job worker runs the script.`,
  );
}

/** The model cannot repeat the decisions of a job worker, and only its activations have outputs to collect. */
function checkAdHoc(element: BpmnElement, job: Extension | undefined, problems: Diagnostics): void {
  const adHoc = element.extension('adHoc');
  if (!job) {
    const collected = ['outputCollection', 'outputElement'].filter((name) => adHoc?.attribute(name));
    if (collected.length > 0)
      problems.error(
        element.id,
        `${collected.join(' and ')} of ad-hoc sub-process ${element.id} need a taskDefinition: without a job worker results are not collected. Use an output mapping of each activity inside.`,
      );
    return;
  }
  const conflicts = [
    ...(adHoc?.attribute('activeElementsCollection') ? ['activeElementsCollection'] : []),
    ...(element.children('completionCondition').length > 0 ? ['completionCondition'] : []),
  ];
  if (conflicts.length > 0)
    problems.error(
      element.id,
      `Extension element ${job.qualifiedName} is not supported at ${element.type} ${element.id}: a job cannot be combined with ${conflicts.join(' and ')}, because its worker decides both. Remove one.`,
    );
}

function checkAttributes(element: BpmnElement, extension: Extension, problems: Diagnostics): void {
  const rules = rulesOf(extension.name);
  if (!rules || rules.within !== undefined || verdictOf(rules.rule) === 'refused') return;
  for (const name of extension.attributeNames()) {
    const rule = ruleOf(rules.attributes, name);
    if (rule !== undefined && verdictOf(rule) === 'refused')
      problems.error(element.id, `Attribute ${name} of ${extension.qualifiedName} is not supported: ${reasonOf(rule)}`);
  }
}

/** Names of what is ignored in the extension elements at `element`. */
function ignoredAt(element: BpmnElement): string[] {
  const hasMeaning = meaningsAt(element);
  return element.extensions().flatMap((extension) => {
    if (extension.namespace !== ZEEBE) return [];
    const rules = rulesOf(extension.name);
    if (!rules || rules.within !== undefined || verdictOf(rules.rule) === 'ignored') return [extension.qualifiedName];
    if (!hasMeaning(extension.name)) return misplaced(element, extension);
    return ignoredIn(extension, rules);
  });
}

/** `checkJob` refuses a job where it would be lost, `checkListeners` a listener. */
function misplaced(element: BpmnElement, extension: Extension): string[] {
  const isRefused =
    (extension.name === 'taskDefinition' && element.type === 'scriptTask') || extension.name === 'executionListeners';
  return isRefused ? [] : [`${extension.qualifiedName} at ${element.type}`];
}

/** As deep as the table knows. */
function ignoredIn(extension: Extension, rules: ElementRule): string[] {
  if (verdictOf(rules.rule) !== 'runs') return [];
  const attributes = extension
    .attributeNames()
    .filter((name) => isIgnored(rules.attributes, name))
    .map((name) => `${name} of ${extension.qualifiedName}`);
  const children = extension.all().flatMap((child) => {
    const below = rulesOf(child.name);
    return below && [below.within, ...(below.alsoWithin ?? [])].includes(extension.name)
      ? ignoredIn(child, below)
      : [`${child.qualifiedName} in ${extension.qualifiedName}`];
  });
  return [...attributes, ...children];
}

function ignoredAttributesOf(element: BpmnElement): string[] {
  return element
    .foreignAttributes()
    .map(([name]) => name)
    .filter((name) => {
      const local = localName(name);
      const isRead = isTranslated(element.type, local) || READ_ATTRIBUTES.includes(local);
      return !isRead && element.namespaceOfAttribute(name) === ZEEBE && isIgnored(EXTENSION_ATTRIBUTES, local);
    });
}

/** Whether the table says so, or does not know the attribute. */
function isIgnored(rules: ElementRule['attributes'], name: string): boolean {
  const rule = ruleOf(rules, name);
  return rule === undefined || verdictOf(rule) === 'ignored';
}

function ruleOf(rules: ElementRule['attributes'], name: string) {
  const local = localName(name);
  return rules && Object.hasOwn(rules, local) ? rules[local] : undefined;
}
