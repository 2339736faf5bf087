/** Call activities: what is called, in which version, and which variables go in and out. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import {
  engineAttribute,
  engineExtensions,
  hasZeebeExtension,
  remove,
  takeAttribute,
  zeebeExtension,
} from '../../xml/edit.js';
import { addInput, addOutput } from '../mappings.js';
import { elementsOf, type Element } from '../../xml/document.js';

export const callActivity: Rule = (element, context) => {
  if (!isBpmn(element, 'callActivity') || hasZeebeExtension(element, 'calledElement') || !context.isForeign) return;
  if (engineAttribute(element, 'caseRef') !== undefined) return;
  const called = zeebeExtension(element, 'calledElement');
  const processID = element.getAttribute('calledElement');
  if (processID && !called.hasAttribute('processId'))
    called.setAttribute('processId', context.feel(element, processID, 'called process id'));
  element.removeAttribute('calledElement');
  binding(element, called, context);
  const inherits = takeAttribute(element, 'inheritVariables') === 'true';
  const passesAll = passed(element, 'in', context);
  const returnsAll = passed(element, 'out', context);
  if (returnsAll) returnPassed(element, context);
  called.setAttribute('propagateAllParentVariables', String(inherits || passesAll));
  called.setAttribute('propagateAllChildVariables', String(returnsAll));
  if (takeAttribute(element, 'variableMappingClass') ?? takeAttribute(element, 'variableMappingDelegateExpression'))
    context.find('unsupported', element, 'Code that maps variables was left out. Map them in inputs and outputs.');
};

function binding(element: Element, called: Element, context: Context): void {
  const kind = takeAttribute(element, 'calledElementBinding') ?? 'latest';
  const version = takeAttribute(element, 'calledElementVersion');
  const tag = takeAttribute(element, 'calledElementVersionTag');
  if (kind === 'deployment' || takeAttribute(element, 'sameDeployment') === 'true')
    called.setAttribute('bindingType', 'deployment');
  if (kind === 'versionTag' && tag !== undefined) {
    called.setAttribute('bindingType', 'versionTag');
    called.setAttribute('versionTag', context.feel(element, tag, 'version tag'));
  }
  if (kind === 'version')
    context.find(
      'review',
      element,
      `Version ${version} was called; the newest version is called now. Give the called process a version tag to bind it.`,
    );
}

/** Returns the local variables that inputs make here, and made none there. */
function returnPassed(element: Element, context: Context): void {
  if (!hasZeebeExtension(element, 'ioMapping')) return;
  const mapping = zeebeExtension(element, 'ioMapping');
  const targets = (kind: string) =>
    elementsOf(mapping).flatMap((each) => (each.localName === kind ? each.getAttribute('target')! : []));
  const returned = targets('output');
  for (const name of targets('input')) if (!returned.includes(name)) addOutput(element, `=${name}`, name);
  context.mappedOutputs.add(mapping);
}

/** Maps what the `in` or `out` elements name. @returns whether they name all variables */
function passed(element: Element, direction: 'in' | 'out', context: Context): boolean {
  let isAll = false;
  for (const mapping of engineExtensions(element, direction)) {
    if (mapping.getAttribute('variables') === 'all') isAll = true;
    else convertMapping(element, mapping, direction, context);
    if (mapping.getAttribute('local') === 'true')
      context.find(
        'review',
        mapping,
        'Only local variables were passed; variables of the scopes around are passed too.',
      );
    remove(mapping);
  }
  return isAll;
}

function convertMapping(element: Element, mapping: Element, direction: 'in' | 'out', context: Context): void {
  if (mapping.hasAttribute('businessKey')) {
    context.find(
      'review',
      mapping,
      'A called instance has the business id of its root instance, and no other can be passed. If this key is another one, pass it as a variable.',
    );
    return;
  }
  const expression = mapping.getAttribute('sourceExpression');
  const variable = mapping.getAttribute('source');
  const source = expression
    ? context.feel(mapping, expression, 'source')
    : variable && sourceOf(mapping, variable, context);
  const target = mapping.getAttribute('target') ?? mapping.getAttribute('targetExpression') ?? variable;
  if (!source || !target) return;
  if (direction === 'in') addInput(element, source, target);
  else addOutput(element, source, target);
}

/** A variable that does not exist is passed as null. */
function sourceOf(mapping: Element, variable: string, context: Context): string {
  const feel = context.feel(mapping, `\${${variable}}`, 'source');
  return feel === `=${variable}` ? `=get or else(${variable}, null)` : feel;
}
