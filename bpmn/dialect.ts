/**
 * What other engines run and we do not. A model that relies on it is refused with the name of the thing, never run
 * without it.
 */
import type { ModelCompiler } from './compiler.js';
import type { BpmnElement } from './document.js';
import type { Extension } from './extension.js';

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
  ['topic', WORKERS],
  ['decisionRef', 'decisions are named by calledDecision'],
  ['assignee', 'people are named by assignmentDefinition'],
  ['candidateUsers', 'people are named by assignmentDefinition'],
  ['candidateGroups', 'people are named by assignmentDefinition'],
  ['formKey', 'forms are named by formDefinition'],
  ['calledElementBinding', 'the version called is named by calledElement'],
  ['calledElementVersion', 'the version called is named by calledElement'],
]);

/** Refuses what `element` carries of other engines. */
export function checkDialect(element: BpmnElement, compiler: ModelCompiler): void {
  for (const extension of element.extensions()) checkExtension(element, extension, compiler);
  for (const [name] of element.foreignAttributes()) {
    const instead = REFUSED_ATTRIBUTES.get(name.slice(name.indexOf(':') + 1));
    if (instead) compiler.problem('error', element, `Attribute ${name} is not supported: ${instead}`);
  }
  checkConnector(element, compiler);
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
