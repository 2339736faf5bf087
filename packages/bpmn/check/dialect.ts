/**
 * Features of other engines that are not supported. A model that relies on one is rejected with its name, never run
 * without it.
 */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { insteadOfAttribute, insteadOfElement } from '@perdure/lib/model-files/decisive-extensions.js';
import { ACTIVITI_ENGINES, FOREIGN_ENGINES } from '@perdure/lib/model-files/namespaces.js';
import { holdsJuel, isJuel } from '@perdure/juel/text.js';
import { localName } from '@perdure/xml/names.js';
import { below, type BpmnElement } from '../read/document.js';
import { isFeel } from '../read/expression-language.js';
import { isTranslated, translatedTo } from '../read/foreign-attributes.js';
import type { Extension } from '../read/extension.js';
import { checkCamunda8 } from './camunda8.js';
import { checkPerdure } from './perdure.js';
import { isUnderstood, refusedExtensions } from './camunda8-rules.js';
import { checkAgent } from './job-types/agents.js';
import { checkTemporalTask } from './job-types/temporal-tasks.js';
import { checkRoles } from './resource-roles.js';

const WORKERS = 'job workers perform external work (taskDefinition)';

/** By local name. */
const REFUSED_EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...refusedExtensions(),
  ['executionListener', 'its code is not run; use a job (executionListeners of zeebe), or a separate task'],
  ['connector', WORKERS],
  ['inputOutput', 'use ioMapping to map variables'],
  ['in', 'use ioMapping to map variables'],
  ['out', 'use ioMapping to map variables'],
  ['field', WORKERS],
  ['formData', 'use formDefinition to refer to a form'],
  ['formProperty', 'use formDefinition to refer to a form'],
]);

/** By local name, in a namespace other than BPMN's. */
const REFUSED_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['class', WORKERS],
  ['delegateExpression', WORKERS],
  ['expression', WORKERS],
  ['resource', 'only text inside the file is read'],
  ['decisionRef', 'use calledDecision to call a decision'],
  ['calledElementBinding', 'use calledElement to select the called version'],
  ['calledElementVersion', 'use calledElement to select the called version'],
]);

/**
 * Reports unsupported features that `elements` rely on, at any depth. @param holder the element named by a problem that
 * concerns all of them
 */
export function checkDialect(holder: BpmnElement, elements: readonly BpmnElement[], problems: Diagnostics): void {
  const all = elements.flatMap(below);
  for (const element of all) checkElement(element, problems);
  checkCamunda8(holder, all, problems);
  checkPerdure(all, problems);
  warnOfIgnored(holder, all, problems);
}

/** Combines unsupported extensions of other engines in these elements into one warning. */
function warnOfIgnored(holder: BpmnElement, elements: readonly BpmnElement[], problems: Diagnostics): void {
  const ignored = new Map<string, string>();
  for (const element of elements) {
    for (const name of [...ignoredExtensions(element), ...ignoredAttributes(element), ...ignoredRoles(element)])
      if (!ignored.has(name)) ignored.set(name, element.id);
  }
  if (ignored.size === 0) return;
  const list = [...ignored].map(([name, id]) => `${name} (first at ${id})`).join(', ');
  problems.warning(holder.id, `Extensions of other engines are ignored: ${list}`);
}

function ignoredExtensions(element: BpmnElement): string[] {
  return element.extensions().flatMap(({ name, namespace, qualifiedName }) => {
    const isKnown = isUnderstood(name) || REFUSED_EXTENSIONS.has(name) || insteadOfElement(name) !== undefined;
    return isKnown || !isOfEngine(namespace) ? [] : [qualifiedName];
  });
}

function ignoredAttributes(element: BpmnElement): string[] {
  return element.foreignAttributes().flatMap(([name, text]) => {
    const local = localName(name);
    return isRead(element, local) ||
      REFUSED_ATTRIBUTES.has(local) ||
      insteadOfAttribute(element.type, local, text) !== undefined ||
      local === 'type' ||
      !isOfEngine(element.namespaceOfAttribute(name))
      ? []
      : [name];
  });
}

/** An extension element has precedence over the attributes that mean the same. */
function isRead(element: BpmnElement, attribute: string): boolean {
  const extension = translatedTo(element.type, attribute);
  return extension !== undefined && !element.hasExtension(extension);
}

/** Only the assignment of user tasks has a meaning. */
function ignoredRoles(element: BpmnElement): string[] {
  return element.type === 'userTask' ? [] : element.children('resources').map(({ type }) => type);
}

function isOfEngine(namespace: string | undefined): boolean {
  return namespace !== undefined && FOREIGN_ENGINES.includes(namespace);
}

/** Rejects unsupported extensions of other engines on `element`. */
function checkElement(element: BpmnElement, problems: Diagnostics): void {
  for (const extension of element.extensions()) checkExtension(element, extension, problems);
  for (const [name, text] of element.foreignAttributes()) checkAttribute(element, name, text, problems);
  checkConnector(element, problems);
  checkTemporalTask(element, problems);
  checkAgent(element, problems);
  checkLanguage(element, problems);
  if (element.type === 'userTask') {
    checkName(element, problems);
    checkRoles(element, problems);
  }
  if (element.type === 'callActivity') checkCall(element, problems);
}

/** The language of an expression without its own language is determined where it is compiled. */
const CHECKED_THERE = new Set([
  'sequenceFlow',
  'dataInputAssociation',
  'dataOutputAssociation',
  'assignment',
  'timerEventDefinition',
  'resourceAssignmentExpression',
]);

function checkLanguage(element: BpmnElement, problems: Diagnostics): void {
  const language = element.type === 'formalExpression' ? element.attribute('language') : undefined;
  if (
    !language ||
    isFeel(element) ||
    isJuel(element.text) ||
    element.text === '' ||
    CHECKED_THERE.has(element.parent!.type)
  )
    return;
  problems.error(
    element.id,
    `The expression ${JSON.stringify(element.text)} of ${element.id} is not FEEL but ${language}. Rewrite it in FEEL: =...`,
  );
}

function checkName(task: BpmnElement, problems: Diagnostics): void {
  if (task.name !== undefined && holdsJuel(task.name))
    problems.warning(
      task.id,
      `The name of ${task.id} is not evaluated and is displayed unchanged: ${JSON.stringify(task.name)}`,
    );
}

/** Mappings of calls: ours, and those of other engines, which are refused by name. */
const CALL_MAPPINGS: readonly string[] = ['calledElement', 'ioMapping', 'in', 'out'];

/** Engines whose call activities pass only mapped variables. */
function checkCall(activity: BpmnElement, problems: Diagnostics): void {
  if (CALL_MAPPINGS.some((name) => activity.extension(name))) return;
  const engine = activity.declaredNamespaces().find((namespace) => ACTIVITI_ENGINES.includes(namespace));
  if (engine === undefined) return;
  problems.warning(
    activity.id,
    `Call activity ${activity.id} maps no variables, so all of them are passed to the called process, and all of its variables are returned. In ${engine} none would be. Map them (ioMapping), or set propagateAllParentVariables and propagateAllChildVariables of calledElement.`,
  );
}

function checkAttribute(element: BpmnElement, name: string, text: string, problems: Diagnostics): void {
  const local = localName(name);
  if (isTranslated(element.type, local)) return;
  const ofEngine = isOfEngine(element.namespaceOfAttribute(name));
  const isBuiltIn = local === 'type' && IMPLEMENTED.test(element.type) && !isExternal(element, text) && ofEngine;
  const decisive = ofEngine ? insteadOfAttribute(element.type, local, text) : undefined;
  const instead = isBuiltIn ? WORKERS : (REFUSED_ATTRIBUTES.get(local) ?? decisive);
  if (instead) problems.error(element.id, `Attribute ${name} is not supported: ${instead}`);
}

/** Built-in implementations of a kind of task in other engines. */
const IMPLEMENTED = /Task$|^messageEventDefinition$/;

/**
 * Job workers perform external work, identified by a topic. A task without one lacks a job type, which is reported for
 * it.
 */
function isExternal(element: BpmnElement, type: string): boolean {
  return (
    type.startsWith('external') && (element.type.endsWith('Task') || element.extension('taskDefinition') !== undefined)
  );
}

function checkExtension(element: BpmnElement, extension: Extension, problems: Diagnostics): void {
  const decisive = isOfEngine(extension.namespace) ? insteadOfElement(extension.name) : undefined;
  const instead = REFUSED_EXTENSIONS.get(extension.name) ?? decisive;
  if (instead) problems.error(element.id, `Extension element ${extension.qualifiedName} is not supported: ${instead}`);
}

/** Performed by the role `connectors`, as its own job type. */
const HTTP_CONNECTOR = 'io.camunda:http-json:1';

/** Other connectors of Camunda 8 are job types and properties that only its own connector runtime understands. */
function checkConnector(element: BpmnElement, problems: Diagnostics): void {
  const type = element.extension('taskDefinition')?.attribute('type') ?? inboundType(element);
  if (type?.startsWith('io.camunda:') && type !== HTTP_CONNECTOR) {
    problems.error(element.id, `Connector ${type} is not supported: ${WORKERS}; give the task its own job type`);
  }
}

function inboundType(element: BpmnElement): string | undefined {
  const properties = element.extension('properties')?.children('property') ?? [];
  return properties.find((property) => property.attribute('name') === 'inbound.type')?.attribute('value');
}
