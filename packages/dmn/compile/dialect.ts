/** Extensions of other engines in DMN files: nothing that affects a result is left out without a word. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { nearestID, namespaceOf, type XmlElement } from '../xml/element.js';

/** Engines that descend from Activiti. In their cells, an input has a name. */
const CAMUNDA_7: readonly string[] = ['http://camunda.org/schema/1.0/dmn', 'http://operaton.org/schema/1.0/dmn'];
const ENGINES: readonly string[] = [...CAMUNDA_7, 'http://flowable.org/dmn', 'http://activiti.org/dmn', ZEEBE];

/** The name of an input without `inputVariable` in the cells of Camunda 7. */
const DEFAULT_INPUT_VARIABLE = 'cellInput';

/** Maximum entries listed in one warning. */
const MAX_NAMED = 20;

/**
 * By local name: `runs` at the elements listed, `note` without an effect in its own engine either. All others, such as
 * `historyTimeToLive` (projects decide how long evaluations are kept), are ignored with a warning.
 */
const ATTRIBUTES: { readonly [name: string]: 'note' | readonly string[] } = {
  inputVariable: ['input'],
  versionTag: ['decision'],
  diagramRelationId: 'note',
};
const ELEMENTS: typeof ATTRIBUTES = { versionTag: ['decision'], properties: 'note' };

/** The variable by which the cells of an input read it, and which an input without an expression reads. */
export function inputVariableOf(input: XmlElement): string | undefined {
  for (const [name, value] of input.attributes)
    if (name.endsWith(':inputVariable') && isOf(CAMUNDA_7, input, name) && value.trim() !== '') return value.trim();
  return undefined;
}

/** Its name without `inputVariable`, in files of engines that have one. */
export function defaultInputVariable(input: XmlElement): string | undefined {
  for (let at: XmlElement | undefined = input; at; at = at.parent)
    for (const namespace of at.declared?.values() ?? [])
      if (CAMUNDA_7.includes(namespace)) return DEFAULT_INPUT_VARIABLE;
  return undefined;
}

/** Names the ignored extensions of a file in one warning. */
export function warnOfIgnored(root: XmlElement, problems: Diagnostics): void {
  const ignored = new Map<string, string>();
  const open: XmlElement[] = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    for (const name of ignoredAt(element))
      if (!ignored.has(name)) ignored.set(name, nearestID(element) ?? element.name);
    open.push(...element.children.toReversed());
  }
  if (ignored.size === 0) return;
  const named = [...ignored].slice(0, MAX_NAMED).map(([name, id]) => `${name} (first at ${id})`);
  const more = ignored.size > MAX_NAMED ? [`${ignored.size - MAX_NAMED} more`] : [];
  problems.warning(nearestID(root), `Extensions of other engines are ignored: ${[...named, ...more].join(', ')}`);
}

function ignoredAt(element: XmlElement): string[] {
  const attributes = [...element.attributes.keys()].filter(
    (name) => name.includes(':') && isOf(ENGINES, element, name) && isIgnored(ATTRIBUTES, name, element),
  );
  const holder = element.name === 'extensionElements' ? element.parent : undefined;
  const extensions = (element.foreign ?? []).filter(
    ({ name, namespace }) => ENGINES.includes(namespace) && isIgnored(ELEMENTS, name, holder ?? element),
  );
  return [...attributes, ...extensions.map(({ name }) => name)];
}

function isIgnored(rules: typeof ATTRIBUTES, qualifiedName: string, at: XmlElement): boolean {
  const name = qualifiedName.slice(qualifiedName.indexOf(':') + 1);
  const rule = Object.hasOwn(rules, name) ? rules[name]! : [];
  return rule !== 'note' && !rule.includes(at.name);
}

function isOf(namespaces: readonly string[], element: XmlElement, qualifiedName: string): boolean {
  const namespace = namespaceOf(element, qualifiedName.slice(0, qualifiedName.indexOf(':')));
  return namespace !== undefined && namespaces.includes(namespace);
}
