/**
 * What other engines run and we do not. A model that relies on it is refused with the name of the thing, never run
 * without it.
 */
import type { ModelCompiler } from './compiler.js';
import { isFeel } from './conditions.js';
import type { BpmnElement } from './document.js';
import { isTranslated } from './foreign-dialect.js';
import { holdsJuel, isJuel } from './foreign-expression.js';
import { localName } from './names.js';
import type { Extension } from './extension.js';
import { checkRoles } from './resource-roles.js';

const WORKERS = 'work outside the process is done by job workers (taskDefinition)';

/** By local name. */
const REFUSED_EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['executionListeners', 'listeners are not run; use a task of its own'],
  ['executionListener', 'listeners are not run; use a task of its own'],
  ['taskListeners', 'listeners are not run; use a task of its own'],
  ['taskListener', 'listeners are not run; use a task of its own'],
  ['connector', WORKERS],
  ['inputOutput', 'variables are mapped by ioMapping'],
  ['in', 'variables are mapped by ioMapping'],
  ['out', 'variables are mapped by ioMapping'],
  ['field', WORKERS],
  ['formData', 'forms are named by formDefinition'],
  ['formProperty', 'forms are named by formDefinition'],
]);

const IGNORED_EXTENSIONS: ReadonlySet<string> = new Set(['taskSchedule', 'priorityDefinition']);

/** By local name, in a namespace other than BPMN's. */
const REFUSED_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['class', WORKERS],
  ['delegateExpression', WORKERS],
  ['expression', WORKERS],
  ['resource', 'only the text in the file is read'],
  ['decisionRef', 'decisions are named by calledDecision'],
  ['calledElementBinding', 'the version called is named by calledElement'],
  ['calledElementVersion', 'the version called is named by calledElement'],
]);

/** Engines whose extensions mean something to them; other tools keep their own notes in a file. */
const MAPPING_ENGINES = ['http://camunda.org/schema/1.0/bpmn', 'http://operaton.org/schema/1.0/bpmn', 'http://activiti.org/bpmn', 'http://flowable.org/bpmn'];
const ENGINES = [...MAPPING_ENGINES, 'http://www.jboss.org/drools'];

/** Extension elements that are understood whatever their namespace. */
const UNDERSTOOD_EXTENSIONS: ReadonlySet<string> = new Set([
  'adHoc', 'assignmentDefinition', 'calledDecision', 'calledElement', 'dataObject', 'formDefinition', 'ioMapping', 'loopCharacteristics', 'properties', 'publishMessage',
  'script', 'subscription', 'taskDefinition', 'taskHeaders', 'userTask', 'value', 'versionTag',
]);

/** Reports what `elements` rely on and nothing here does, wherever inside them. @param holder what is named where a problem is of them all */
export function checkDialect(holder: BpmnElement, elements: readonly BpmnElement[], compiler: ModelCompiler): void {
  const all = elements.flatMap(below);
  for (const element of all) checkElement(element, compiler);
  warnOfIgnored(holder, all, compiler);
}

/** `element` and every element of BPMN inside it, in document order. */
function below(element: BpmnElement): BpmnElement[] {
  return [element, ...element.all().flatMap(below)];
}

/** Names in one warning what other engines understand in these elements and nothing here does. */
function warnOfIgnored(holder: BpmnElement, elements: readonly BpmnElement[], compiler: ModelCompiler): void {
  const ignored = new Map<string, string>();
  for (const element of elements) {
    for (const name of [...ignoredExtensions(element), ...ignoredAttributes(element), ...ignoredRoles(element)]) if (!ignored.has(name)) ignored.set(name, element.id);
  }
  if (ignored.size === 0) return;
  const list = [...ignored].map(([name, id]) => `${name} (first at ${id})`).join(', ');
  compiler.problem('warning', holder, `What other engines understand by these is ignored: ${list}`);
}

function ignoredExtensions(element: BpmnElement): string[] {
  return element.extensions().flatMap(({ name, qualifiedName }) => {
    const isKnown = UNDERSTOOD_EXTENSIONS.has(name) || REFUSED_EXTENSIONS.has(name) || IGNORED_EXTENSIONS.has(name);
    return isKnown || !isOfEngine(element, qualifiedName) ? [] : [qualifiedName];
  });
}

function ignoredAttributes(element: BpmnElement): string[] {
  return element.foreignAttributes().flatMap(([name]) => {
    const local = localName(name);
    return isTranslated(element.type, local) || REFUSED_ATTRIBUTES.has(local) || local === 'type' || !isOfEngine(element, name) ? [] : [name];
  });
}

/** Only the assignment of user tasks means something. */
function ignoredRoles(element: BpmnElement): string[] {
  return element.type === 'userTask' ? [] : element.children('resources').map(({ type }) => type);
}

function isOfEngine(element: BpmnElement, qualifiedName: string): boolean {
  const namespace = element.namespace(qualifiedName.slice(0, qualifiedName.indexOf(':')));
  return namespace !== undefined && ENGINES.includes(namespace);
}

/** Refuses what `element` carries of other engines. */
function checkElement(element: BpmnElement, compiler: ModelCompiler): void {
  for (const extension of element.extensions()) checkExtension(element, extension, compiler);
  for (const [name, text] of element.foreignAttributes()) checkAttribute(element, name, text, compiler);
  checkConnector(element, compiler);
  checkLanguage(element, compiler);
  if (element.type === 'userTask') {
    checkName(element, compiler);
    checkRoles(element, compiler);
  }
  if (element.type === 'callActivity') checkCall(element, compiler);
}

/** What an expression without a language of its own is written in is known where it is compiled. */
const CHECKED_THERE = new Set(['sequenceFlow', 'dataInputAssociation', 'dataOutputAssociation', 'assignment', 'timerEventDefinition', 'resourceAssignmentExpression']);

function checkLanguage(element: BpmnElement, compiler: ModelCompiler): void {
  const language = element.type === 'formalExpression' ? element.attribute('language') : undefined;
  if (!language || isFeel(element) || isJuel(element.text) || element.text === '' || CHECKED_THERE.has(element.parent!.type)) return;
  compiler.problem('error', element, `The expression ${JSON.stringify(element.text)} of ${element.id} is not FEEL but ${language}. Rewrite it in FEEL: =...`);
}

function checkName(task: BpmnElement, compiler: ModelCompiler): void {
  if (task.name !== undefined && holdsJuel(task.name)) compiler.problem('warning', task, `The name of ${task.id} is not evaluated and is shown as it is: ${JSON.stringify(task.name)}`);
}

/** Engines whose call activities pass no variable that is not mapped. */
function checkCall(activity: BpmnElement, compiler: ModelCompiler): void {
  if (activity.extension('calledElement') || activity.extension('ioMapping')) return;
  const engine = activity.declaredNamespaces().find((namespace) => MAPPING_ENGINES.includes(namespace));
  if (engine === undefined) return;
  compiler.problem('warning', activity, `Call activity ${activity.id} maps no variables, so all of them go to the called process and all of its variables come back. In the engine of ${engine} none would. Map them (ioMapping), or set propagateAllParentVariables and propagateAllChildVariables of calledElement.`);
}

function checkAttribute(element: BpmnElement, name: string, text: string, compiler: ModelCompiler): void {
  const local = localName(name);
  if (isTranslated(element.type, local)) return;
  const isBuiltIn = local === 'type' && IMPLEMENTED.test(element.type) && !isExternal(element, text) && isOfEngine(element, name);
  const instead = isBuiltIn ? WORKERS : REFUSED_ATTRIBUTES.get(local);
  if (instead) compiler.problem('error', element, `Attribute ${name} is not supported: ${instead}`);
}

/** What other engines can implement by a kind of task that they have built in. */
const IMPLEMENTED = /Task$|^messageEventDefinition$/;

/** External work is done by workers, and has a topic. A task without one lacks a job type, which is reported of it. */
function isExternal(element: BpmnElement, type: string): boolean {
  return type.startsWith('external') && (element.type.endsWith('Task') || element.extension('taskDefinition') !== undefined);
}

function checkExtension(element: BpmnElement, extension: Extension, compiler: ModelCompiler): void {
  const instead = REFUSED_EXTENSIONS.get(extension.name);
  if (instead) compiler.problem('error', element, `Extension element ${extension.qualifiedName} is not supported: ${instead}`);
  if (IGNORED_EXTENSIONS.has(extension.name)) compiler.problem('warning', element, `Extension element ${extension.qualifiedName} is ignored`);
}

/** Connectors of Camunda 8 are job types and properties that only its own connector runtime gives a meaning. */
function checkConnector(element: BpmnElement, compiler: ModelCompiler): void {
  const type = element.extension('taskDefinition')?.attribute('type') ?? inboundType(element);
  if (type?.startsWith('io.camunda:')) {
    compiler.problem('error', element, `Connector ${type} is not supported: ${WORKERS}; give the task a type of your own`);
  }
}

function inboundType(element: BpmnElement): string | undefined {
  const properties = element.extension('properties')?.children('property') ?? [];
  return properties.find((property) => property.attribute('name') === 'inbound.type')?.attribute('value');
}
