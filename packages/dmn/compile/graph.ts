/**
 * The decision requirements graph (DMN 1.5 chapter 6): which element requires which, in an order with requirements
 * first.
 */
import type { Requirement } from '../model.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { childOf, childrenOf, nearestID, type XmlElement } from '../xml/element.js';
import { followAddress, visibleFiles, type DmnFile } from './file.js';

type ElementKind = 'inputData' | 'decision' | 'businessKnowledgeModel' | 'decisionService';

const KINDS: ReadonlySet<string> = new Set<ElementKind>([
  'inputData',
  'decision',
  'businessKnowledgeModel',
  'decisionService',
]);

/** Allowed targets of a requirement, by the name of the element that contains the address. */
const TARGETS: Readonly<Record<string, readonly ElementKind[]>> = {
  requiredInput: ['inputData'],
  requiredDecision: ['decision'],
  requiredKnowledge: ['businessKnowledgeModel', 'decisionService'],
  inputData: ['inputData'],
  inputDecision: ['decision'],
  outputDecision: ['decision'],
  encapsulatedDecision: ['decision'],
};

export interface GraphElement {
  file: DmnFile;
  element: XmlElement;
  kind: ElementKind;
  /** The name under which others see it. */
  name: string;
  links: Link[];
}

interface Link {
  /** Name of the element that contains the address. */
  role: string;
  target: GraphElement;
  importName?: string;
}

/**
 * All elements that the first file contains, exposes or needs, each after those it requires. A cycle is reported and
 * cut.
 */
export function readGraph(files: readonly DmnFile[], problems: Diagnostics): GraphElement[] {
  const known = new Map<XmlElement, GraphElement>();
  for (const file of files) {
    for (const element of file.root.children) {
      if (KINDS.has(element.name))
        known.set(element, {
          file,
          element,
          kind: element.name as ElementKind,
          name: nameOf(element, problems),
          links: [],
        });
    }
  }
  for (const node of known.values()) node.links = linksOf(node, known, problems);
  const visible = new Set(visibleFiles(files[0] as DmnFile));
  return inOrder(
    [...known.values()].filter(({ file }) => visible.has(file)),
    problems,
  );
}

/**
 * A variable is named after its element. For files that omit the variable, the element's name is used, otherwise its
 * id.
 */
function nameOf(element: XmlElement, problems: Diagnostics): string {
  const name =
    childOf(element, 'variable')?.attributes.get('name') ??
    element.attributes.get('name') ??
    element.attributes.get('id') ??
    '';
  if (name === '') problems.error(nearestID(element), `The "${element.name}" needs a name`);
  return name;
}

function linksOf(node: GraphElement, known: ReadonlyMap<XmlElement, GraphElement>, problems: Diagnostics): Link[] {
  const links: Link[] = [];
  for (const holder of addressHolders(node.element)) {
    const href = holder.attributes.get('href') ?? '';
    const found = followAddress(node.file, href);
    const target = found && known.get(found.element);
    if (target === undefined)
      problems.error(
        nearestID(holder),
        `The ${holder.name} of ${JSON.stringify(node.name)} refers to ${JSON.stringify(href)}, but there is no such element`,
      );
    else if (!TARGETS[holder.name]?.includes(target.kind))
      problems.error(
        nearestID(holder),
        `The ${holder.name} of ${JSON.stringify(node.name)} must refer to ${TARGETS[holder.name]?.join(' or ')}, but refers to a "${target.kind}"`,
      );
    else
      links.push({
        role: holder.name,
        target,
        ...(found?.importName !== undefined && { importName: found.importName }),
      });
  }
  return links;
}

function addressHolders(element: XmlElement): XmlElement[] {
  if (element.name === 'decisionService') return element.children.filter(({ name }) => Object.hasOwn(TARGETS, name));
  const requirements = [
    ...childrenOf(element, 'informationRequirement'),
    ...childrenOf(element, 'knowledgeRequirement'),
  ];
  return requirements.flatMap(({ children }) => children.filter(({ name }) => Object.hasOwn(TARGETS, name)));
}

/** Depth first with an explicit stack, because graphs may be deeper than the call stack. */
function inOrder(roots: readonly GraphElement[], problems: Diagnostics): GraphElement[] {
  const order: GraphElement[] = [];
  const state = new Map<GraphElement, 'open' | 'done'>();
  const stack: { node: GraphElement; next: number }[] = [];
  const enter = (node: GraphElement): void => {
    state.set(node, 'open');
    stack.push({ node, next: 0 });
  };
  for (const root of roots) {
    if (!state.has(root)) enter(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const link = top.node.links[top.next];
      if (link === undefined) {
        state.set(top.node, 'done');
        order.push(top.node);
        stack.pop();
      } else if (state.get(link.target) === 'open') {
        problems.error(
          nearestID(top.node.element),
          `${JSON.stringify(top.node.name)} requires itself through ${JSON.stringify(link.target.name)}`,
        );
        top.node.links.splice(top.next, 1);
      } else {
        top.next += 1;
        if (!state.has(link.target)) enter(link.target);
      }
    }
  }
  return order;
}

/** The requirements of an element in the compiled model. */
export function requirementsOf(node: GraphElement, positions: ReadonlyMap<GraphElement, number>): Requirement[] {
  const named = new Set(node.links.map(({ target, importName }) => keyOf(target.name, importName)));
  return node.links.map(({ target, importName }) => {
    const id = idWithoutVariable(target);
    return {
      element: positions.get(target) as number,
      name: target.name,
      ...(id !== undefined && !named.has(keyOf(id, importName)) && { id }),
      ...(importName !== undefined && { importName }),
    };
  });
}

/** The name that Camunda 8 gives to the result of a decision without a variable. It knows all else by its name. */
function idWithoutVariable({ kind, element }: GraphElement): string | undefined {
  const isNamed = childOf(element, 'variable')?.attributes.get('name') !== undefined;
  return kind === 'decision' && !isNamed ? element.attributes.get('id') : undefined;
}

function keyOf(name: string, importName: string | undefined): string {
  return JSON.stringify([importName, name]);
}
