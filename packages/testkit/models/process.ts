/** Files around elements and flows. */
import { checkIDs } from './check.js';
import { endEvent, startEvent } from './events.js';
import { extensions } from './extensions.js';
import { sequenceFlows, type Flows } from './flows.js';
import { element, joined, type Xml } from './xml.js';

const NAMESPACES = [
  'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"',
].join(' ');

export interface ProcessOptions {
  readonly name?: string;
  readonly isExecutable?: boolean;
  /** Extension elements. */
  readonly extensions?: Xml;
}

/**
 * A BPMN file with one executable process.
 * @param elements of the process, one per line
 * @param flows of the process, one per line: `start -> charge -> done`
 * @param roots what its events refer to: `root.message('paid', '=orderID')`
 * @throws Error if an id is there twice or a reference leads to nothing
 */
export function processModel(id: string, elements: Xml, flows: Flows, roots: Xml = ''): string {
  return definitions([roots, bpmnProcess(id, elements, flows)], `definitions_${id}`);
}

/**
 * A BPMN file with one executable process whose elements follow one another, between the events `start` and `end`. Its
 * flows are `f0`, `f1`, ...
 */
export function sequenceModel(id: string, elements: readonly string[], roots: Xml = ''): string {
  const ids = ['start', ...elements.map(idOf), 'end'];
  const flows = ids.slice(1).map((target, index) => `f${index}: ${ids[index]} -> ${target}`);
  return processModel(id, [startEvent('start'), ...elements, endEvent('end')], flows, roots);
}

/** A process, for a file of several. */
export function bpmnProcess(
  id: string,
  elements: Xml,
  flows: Flows,
  { name, isExecutable = true, extensions: extensionElements = '' }: ProcessOptions = {},
): string {
  return element('process', { id, name, isExecutable }, [
    extensions(extensionElements),
    elements,
    sequenceFlows(flows),
  ]);
}

/**
 * A BPMN file with these root elements.
 * @throws Error if an id is there twice or a reference leads to nothing
 */
export function definitions(rootElements: Xml, id = 'definitions'): string {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions ${NAMESPACES} id="${id}" targetNamespace="http://perdure.test">
${joined(rootElements)}
</bpmn:definitions>`;
  checkIDs(xml);
  return xml;
}

function idOf(xml: string): string {
  const id = /\sid="([^"]*)"/.exec(xml)?.[1];
  if (id === undefined) throw new Error(`An element of a sequence needs an id, but found ${xml}`);
  return id;
}
