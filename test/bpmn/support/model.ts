/** BPMN files for tests, without the ceremony. */
import type { BpmnDocument } from '@perdure/bpmn/read/document.js';
import { parse } from '@perdure/bpmn/read/parse.js';
import { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Graph, Node, NodeKind, NodeOf } from '@perdure/engine/model/graph.js';

const NAMESPACES = [
  'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"',
  'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"',
  'xmlns:other="urn:another-engine"',
].join(' ');

/** A file with these root elements. */
export function file(rootElements: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<bpmn:definitions ${NAMESPACES} id="file" targetNamespace="urn:test">${rootElements}</bpmn:definitions>`;
}

/** A file with one executable process called `p`. */
export function processFile(flowElements: string): string {
  return file(`<bpmn:process id="p" isExecutable="true">${flowElements}</bpmn:process>`);
}

/** A file whose process goes from start event `s` through `middle`, whose id is `m`, to end event `e`. */
export function through(middle: string, beside = ''): string {
  return processFile(
    `<bpmn:startEvent id="s"/>${middle}<bpmn:endEvent id="e"/>${flow('in', 's', 'm')}${flow('out', 'm', 'e')}${beside}`,
  );
}

export function flow(id: string, source: string, target: string, condition?: string): string {
  const inner =
    condition === undefined
      ? ''
      : `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${condition}</bpmn:conditionExpression>`;
  return `<bpmn:sequenceFlow id="${id}" sourceRef="${source}" targetRef="${target}">${inner}</bpmn:sequenceFlow>`;
}

/** `element` with these extension elements; `element` may have attributes. */
export function extended(element: string, extensionElements: string, children = ''): string {
  const type = element.split(' ')[0]!;
  return `<bpmn:${element}><bpmn:extensionElements>${extensionElements}</bpmn:extensionElements>${children}</bpmn:${type}>`;
}

/** Diagnostics as lines: `error m: what is wrong`. */
export async function problemsOf(xml: string): Promise<string[]> {
  const { problems } = await compile(xml);
  return problems.map(({ severity, elementID, message }) => `${severity} ${elementID ?? '-'}: ${message}`);
}

/** The graph of the only process; fails with the problems when there is an error. */
export async function graphOf(xml: string): Promise<Graph> {
  const { processes, problems } = await compile(xml);
  const [only] = processes;
  if (!only) throw new Error(`The model does not compile:\n${problems.map(({ message }) => message).join('\n')}`);
  return only.graph;
}

export function nodeOf<K extends NodeKind>(graph: Graph, kind: K, id = 'm'): NodeOf<K> {
  const found = graph.nodes.find((node: Node) => node.id === id);
  if (found?.kind !== kind) throw new Error(`Node ${id} is ${found?.kind ?? 'not there'}, not ${kind}`);
  return found as NodeOf<K>;
}

/** The parsed file, for tests of one part of the compiler. */
export async function documentOf(xml: string): Promise<BpmnDocument> {
  return (await parse({ text: xml }, new Diagnostics()))!;
}
