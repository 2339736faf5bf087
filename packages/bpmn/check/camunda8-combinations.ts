/**
 * Extensions of Camunda 8 that repeat or contradict each other. Combinations that Camunda refuses are refused; those that
 * it ignores are ignored with a warning.
 */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { BpmnElement } from '../read/document.js';
import type { Extension } from '../read/extension.js';
import { isSingle, meaningsAt } from './camunda8-rules.js';

/** Only one of them can name the form of a task. */
const FORM_REFERENCES: readonly string[] = ['formId', 'formKey', 'externalReference'];

/** Extension elements that select the version of what they name. */
const BOUND: readonly string[] = ['calledDecision', 'calledElement', 'formDefinition'];

/** Extension elements whose result goes to a variable, and nowhere without one. */
const WITH_RESULT: readonly string[] = ['calledDecision', 'script'];

/** Reports combinations of which one part would be lost although the author needs both. */
export function checkCombinations(element: BpmnElement, problems: Diagnostics): void {
  const extensions = element.extensions();
  checkRepeated(element, extensions, problems);
  for (const extension of extensions) {
    if (extension.name === 'formDefinition') checkForm(element, extension, problems);
    for (const headers of headersIn(extension)) checkHeaders(element, headers, problems);
  }
}

function checkRepeated(element: BpmnElement, extensions: readonly Extension[], problems: Diagnostics): void {
  const first = new Map<string, Extension>();
  const hasMeaning = meaningsAt(element);
  for (const extension of extensions) {
    const { name, qualifiedName } = extension;
    if (!isSingle(name) || !hasMeaning(name)) continue;
    const other = first.get(name);
    if (other === undefined) first.set(name, extension);
    else
      problems.error(
        element.id,
        `${element.type} ${element.id} has ${other.qualifiedName} and another ${qualifiedName}, but only one is read. Combine them.`,
      );
  }
}

function checkForm(element: BpmnElement, form: Extension, problems: Diagnostics): void {
  const given = FORM_REFERENCES.filter((name) => form.attribute(name));
  if (given.length > 1)
    problems.error(
      element.id,
      `${form.qualifiedName} of ${element.id} has ${given.join(' and ')}, but a task has one form. Remove all but one.`,
    );
}

/** Those of the element, and those of its listeners. */
function headersIn(extension: Extension): Extension[] {
  if (extension.name === 'taskHeaders') return [extension];
  if (extension.name !== 'executionListeners' && extension.name !== 'taskListeners') return [];
  return extension.children(extension.name.slice(0, -1)).flatMap((listener) => listener.children('taskHeaders'));
}

function checkHeaders(element: BpmnElement, headers: Extension, problems: Diagnostics): void {
  const keys = new Set<string>();
  for (const header of headers.children('header')) {
    const key = header.attribute('key') ?? '';
    if (key !== '' && keys.has(key))
      problems.error(
        element.id,
        `${headers.qualifiedName} of ${element.id} has two headers with the key ${JSON.stringify(key)}. Rename or remove one.`,
      );
    keys.add(key);
  }
}

/** Names of parts that have no effect in Camunda either, with the reason. */
export function ignoredCombinations(element: BpmnElement): string[] {
  const hasMeaning = meaningsAt(element);
  return element
    .extensions()
    .filter(({ name }) => hasMeaning(name))
    .flatMap((extension) => [...ignoredInside(extension), ...ignoredBeside(element, extension)]);
}

function ignoredInside(extension: Extension): string[] {
  const { name, qualifiedName } = extension;
  if (name === 'taskHeaders') return headersWithoutKey(extension);
  if (WITH_RESULT.includes(name) && !extension.attribute('resultVariable'))
    return [`the result of ${qualifiedName} without resultVariable`, ...unusedBindingOf(extension)];
  return unusedBindingOf(extension);
}

function unusedBindingOf(extension: Extension): string[] {
  const { name, qualifiedName } = extension;
  return BOUND.includes(name) ? unusedBinding(extension).map((attribute) => `${attribute} of ${qualifiedName}`) : [];
}

function headersWithoutKey(headers: Extension): string[] {
  return headers
    .children('header')
    .filter((header) => !header.attribute('key'))
    .map(({ qualifiedName }) => `${qualifiedName} without a key`);
}

function unusedBinding(extension: Extension): string[] {
  if (extension.name === 'formDefinition' && !extension.attribute('formId'))
    return ['bindingType', 'versionTag']
      .filter((name) => extension.attribute(name))
      .map((name) => `${name} without formId`);
  const isUnused = extension.attribute('versionTag') && extension.attribute('bindingType') !== 'versionTag';
  return isUnused ? ['versionTag without bindingType versionTag'] : [];
}

/** An element or attribute of BPMN of which the extension element has another value. */
function ignoredBeside(element: BpmnElement, extension: Extension): string[] {
  const { name, qualifiedName } = extension;
  const called = element.attribute('calledElement');
  const processID = extension.attribute('processId');
  if (name === 'calledElement' && called && processID && called !== processID)
    return [`attribute calledElement next to ${qualifiedName}`];
  const hasScript = element.children('script').some(({ text }) => text !== '');
  return name === 'script' && extension.attribute('expression') && hasScript ? [`script next to ${qualifiedName}`] : [];
}
