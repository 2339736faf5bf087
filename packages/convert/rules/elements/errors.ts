/** Errors and escalations: each is thrown with a code, and caught by code or, without one, always. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import { addRootElement, bpmnChildren, takeAttribute } from '../../xml/edit.js';
import type { Element } from '../../xml/document.js';

interface Kind {
  definition: string;
  reference: string;
  root: string;
  code: string;
}

const KINDS: readonly Kind[] = [
  { definition: 'errorEventDefinition', reference: 'errorRef', root: 'error', code: 'errorCode' },
  { definition: 'escalationEventDefinition', reference: 'escalationRef', root: 'escalation', code: 'escalationCode' },
];

/** Variables that would have received the error; nothing provides them. */
const VARIABLES = ['errorCodeVariable', 'errorMessageVariable', 'escalationCodeVariable', 'errorVariableName'];

export const errors: Rule = (element, context) => {
  const kind = KINDS.find(({ definition }) => isBpmn(element, definition));
  if (!kind) return;
  const isThrown = isBpmn(element.parentElement!, 'endEvent', 'intermediateThrowEvent');
  convertReference(element, kind, isThrown, context);
  for (const name of VARIABLES) {
    const variable = takeAttribute(element, name);
    if (variable === undefined) continue;
    context.find(
      'unsupported',
      element,
      `${name} was left out: no variable ${quoted(variable)} is set. Let the worker throw the error with variables, which the event receives.`,
    );
  }
};

function convertReference(element: Element, kind: Kind, isThrown: boolean, context: Context): void {
  const reference = element.getAttribute(kind.reference);
  if (!reference) {
    if (isThrown) throwUnnamed(element, kind, context);
    return;
  }
  const local = reference.slice(reference.indexOf(':') + 1);
  const found = definitionOf(context, kind, reference) ?? definitionOf(context, kind, local);
  // Activiti and Flowable take a reference to nothing as the code itself.
  if (!found) {
    element.setAttribute(kind.reference, newDefinition(element, kind, local, context));
    context.find('converted', element, `The ${kind.root} ${quoted(local)} was declared nowhere; its code is its name.`);
  } else if (found.getAttribute(kind.code)) return;
  // Without a code, the other engines catch everything.
  else if (isThrown) found.setAttribute(kind.code, found.getAttribute('id')!);
  else element.removeAttribute(kind.reference);
}

function throwUnnamed(element: Element, kind: Kind, context: Context): void {
  const code = element.parentElement!.getAttribute('id') ?? kind.root;
  element.setAttribute(kind.reference, newDefinition(element, kind, code, context));
  context.find('review', element, `It threw without a code, and throws ${quoted(code)} now.`);
}

function newDefinition(element: Element, kind: Kind, code: string, context: Context): string {
  const id = context.newID(`${kind.root === 'error' ? 'Error' : 'Escalation'}_${code.replaceAll(/[^\w-]/g, '_')}`);
  addRootElement(element, kind.root, { id, [kind.code]: code });
  return id;
}

function definitionOf({ root }: Context, { root: type }: Kind, id: string): Element | undefined {
  return bpmnChildren(root, type).find((each) => each.getAttribute('id') === id);
}
