/** The parts of a BPMN file of the other engine that its REST API does not show. */
import { localName } from '@perdure/xml/names.js';
import { visit } from '@perdure/xml/scan.js';
import { SourceError } from './rest.js';

export interface SourceModel {
  processID: string;
  nodes: ReadonlyMap<string, SourceNode>;
  flows: readonly SourceFlow[];
}

export interface SourceNode {
  id: string;
  /** The name of its XML element. */
  kind: string;
  /** The activity around it; undefined for the process. */
  parent: string | undefined;
  /** Of a boundary event. */
  attachedTo?: string | undefined;
  isEventSubProcess?: true;
  multiInstance?: { sequential: boolean };
  /** Of a timer: its cycle ends after a number of repeats, or an expression says whether it does. */
  countsRepeats?: true;
  /** The names of the definitions of an event, such as `timerEventDefinition`. */
  triggers: string[];
}

interface SourceFlow {
  id: string;
  source: string;
  target: string;
}

/** @throws SourceError if the file cannot be read */
export function readModel(xml: string, processID: string): SourceModel {
  const nodes = new Map<string, SourceNode>();
  const flows: SourceFlow[] = [];
  const path: (SourceNode | undefined)[] = [];
  let isInCycle = false;
  const refusal = visit(xml, {
    open(name, attributes) {
      const kind = localName(name);
      const id = attributes.get('id');
      const around = nodeAround(path);
      const source = attributes.get('sourceRef');
      const target = attributes.get('targetRef');
      if (kind === 'sequenceFlow' && id !== undefined && source !== undefined && target !== undefined)
        flows.push({ id, source, target });
      if (around && kind === 'multiInstanceLoopCharacteristics')
        around.multiInstance = { sequential: attributes.get('isSequential') === 'true' };
      if (around && kind.endsWith('EventDefinition')) around.triggers.push(kind);
      isInCycle = kind === 'timeCycle';
      const node = id !== undefined && isNode(kind) ? nodeOf(id, kind, around, attributes) : undefined;
      if (node) nodes.set(node.id, node);
      path.push(node);
    },
    close() {
      path.pop();
      isInCycle = false;
    },
    text(text) {
      const event = nodeAround(path);
      if (isInCycle && event && COUNTED_CYCLE.test(text)) event.countsRepeats = true;
    },
  });
  if (refusal) throw new SourceError(`The model of ${processID} cannot be read: ${refusal.message}`);
  return { processID, nodes, flows };
}

/** `R3/PT1H`, or an expression. */
const COUNTED_CYCLE = /^\s*(?:R\d+\/|[$#]\{)/;

function nodeAround(path: readonly (SourceNode | undefined)[]): SourceNode | undefined {
  return path.findLast((node) => node !== undefined);
}

function isNode(kind: string): boolean {
  return /(?:Task|Event|Gateway|SubProcess)$|^(?:task|transaction|subProcess|callActivity)$/.test(kind);
}

function nodeOf(
  id: string,
  kind: string,
  around: SourceNode | undefined,
  attributes: ReadonlyMap<string, string>,
): SourceNode {
  return {
    id,
    kind,
    parent: around?.id,
    ...(attributes.has('attachedToRef') && { attachedTo: attributes.get('attachedToRef') }),
    ...(attributes.get('triggeredByEvent') === 'true' && { isEventSubProcess: true as const }),
    triggers: [],
  };
}

/**
 * Sequence flows into `join` on which a token has arrived, if only one answer is possible: tokens that have not arrived
 * come from other active nodes.
 * @param waiting how many tokens wait there
 * @param active the other active nodes of the same scope, or the ones around what is active deeper inside
 */
export function arrivedFlows(
  { flows }: SourceModel,
  join: string,
  waiting: number,
  active: readonly string[],
): string[] | undefined {
  const incoming = flows.filter(({ target }) => target === join);
  const expected = incoming.filter(({ source }) => active.some((node) => leads(flows, node, source, join)));
  const arrived = incoming.filter((flow) => !expected.includes(flow));
  return arrived.length === waiting ? arrived.map(({ id }) => id) : undefined;
}

/** Whether a token at `from` can reach `to` without passing `join`. */
function leads(flows: readonly SourceFlow[], from: string, to: string, join: string): boolean {
  const seen = new Set([from]);
  for (const node of seen) {
    if (node === to) return true;
    for (const { source, target } of flows) if (source === node && target !== join) seen.add(target);
  }
  return false;
}
