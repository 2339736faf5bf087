/** Extensions without a meaning here are removed; those with a meaning that nothing provides are reported. */
import { insteadOfAttribute } from '@perdure/lib/model-files/decisive-extensions.js';
import type { Context, Rule } from '../context.js';
import { isBpmn, isOfEngine } from '../names.js';
import { bpmnChild, remove, appendZeebe, zeebeExtension, engineExtensions } from '../xml/edit.js';
import { elementsOf, type Element } from '../xml/document.js';

const DURABLE = 'every step is durable';
/** Where it has one, another rule has converted it before. */
const NO_EFFECT = 'only other kinds of elements have it';
const EDITOR = 'it concerns an editor';
const STARTERS = 'it only filtered lists; roles in the project decide who may start instances';

/** Why an attribute or element can go. */
const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  ['async', DURABLE],
  ['asyncBefore', DURABLE],
  ['asyncAfter', DURABLE],
  ['asyncLeave', DURABLE],
  ['asyncLeaveExclusive', DURABLE],
  ['noWaitStatesAsyncLeave', DURABLE],
  ['exclusive', 'jobs of an instance exclude each other where it matters'],
  ['isEagerExecutionFetching', 'it tunes the other engine'],
  ['autoStoreVariables', 'results are stored'],
  ['historyTimeToLive', 'retention is a setting of the project'],
  ['fallbackToDefaultTenant', 'projects are apart'],
  ['calledElementTenantId', 'projects are apart'],
  ['decisionRefTenantId', 'projects are apart'],
  ['isStartableInTasklist', 'processes with a form can be started in the console'],
  ['formFieldValidation', 'forms are checked if the project has the setting validateForms'],
  ['jobPriority', 'instances have no priority'],
  ['taskPriority', 'a setting of the other engine only'],
  ['parameterResultVariable', 'only jobs have results'],
  ['class', NO_EFFECT],
  ['delegateExpression', NO_EFFECT],
  ['expression', NO_EFFECT],
  ['formKey', NO_EFFECT],
  ['resultVariable', NO_EFFECT],
  ['field', NO_EFFECT],
  ['language', NO_EFFECT],
  ['candidateStarterGroups', STARTERS],
  ['candidateStarterUsers', STARTERS],
  ['potentialStarter', STARTERS],
  ['work-form-field-validation', EDITOR],
  ['task-candidates-type', EDITOR],
  ['work', EDITOR],
  ['category', EDITOR],
  ['targetDockerX', EDITOR],
  ['targetDockerY', EDITOR],
  ['sourceDockerX', EDITOR],
  ['sourceDockerY', EDITOR],
  ['diagramRelationId', EDITOR],
]);

/** Replacements of extensions that are not supported. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['caseRef', 'cases (CMMN) cannot be called; model the case as a process'],
  ['triggerable', 'put a receive task after the element'],
  ['taskIdVariableName', 'read the key of the task from the REST API'],
  ['eventType', 'publish a message instead of an event of the registry'],
  ['terminateMultiInstance', 'a terminate end event ends its scope only'],
  ['terminateAll', 'a terminate end event ends its scope only'],
]);

export const properties: Rule = (element) => {
  for (const group of engineExtensions(element, 'properties')) {
    const own = zeebeExtension(element, 'properties');
    for (const property of elementsOf(group))
      appendZeebe(own, 'property', {
        name: property.getAttribute('name') ?? property.getAttribute('id') ?? '',
        value: property.getAttribute('value') ?? '',
      });
    remove(group);
  }
};

export const leftovers: Rule = (element, context) => {
  for (const attribute of Array.from(element.attributes)) {
    if (!isOfEngine(attribute) || isVersionTag(element, attribute.localName!)) continue;
    if (settle(element, attribute.localName!, attribute.value, context)) element.removeAttributeNode(attribute);
  }
  const extensions = bpmnChild(element, 'extensionElements');
  for (const extension of extensions ? elementsOf(extensions) : []) {
    if (!isOfEngine(extension) || isInitialValue(element, extension)) continue;
    if (settle(extension, extension.localName!, '', context)) remove(extension);
  }
};

/** Converted with the platform of the file. */
function isVersionTag(element: Element, name: string): boolean {
  return isBpmn(element, 'process') && name === 'versionTag';
}

/** The compiler reads the initial value of a data object in any namespace. */
function isInitialValue(element: Element, extension: Element): boolean {
  return isBpmn(element, 'dataObject') && extension.localName === 'value';
}

/** @returns whether it can go */
function settle(element: Element, name: string, value: string, context: Context): boolean {
  const reason = MEANINGLESS.get(name);
  if (reason !== undefined || value === 'false') {
    context.removed(name, element, reason ?? 'false is the default');
    return true;
  }
  const decisive = insteadOfAttribute(element.localName!, name, value);
  if (decisive !== undefined) {
    context.find('unsupported', element, `${name} is refused: ${decisive}.`);
    return false;
  }
  const instead = INSTEAD.get(name) ?? 'there is no equivalent';
  context.find('unsupported', element, `${name} is ignored: ${instead}.`);
  return false;
}
