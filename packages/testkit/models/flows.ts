/** Sequence flows in lines: `charge -> ship`, `yes: paid? -> ship =total > 0`. */
import { element, escape, joined, type Xml } from './xml.js';

/**
 * Lines or a list of lines. Each has a chain of element ids: `start -> charge -> done`. A flow can have an id in front
 * (`retry: failed -> charge`; otherwise `failed_charge`) and a FEEL condition behind (`paid -> ship =total > 0`).
 */
export type Flows = Xml;

export function sequenceFlows(flows: Flows): string {
  return linesOf(flows)
    .map((line) => flowsOf(line))
    .join('\n');
}

/** A sequence flow without the notation. */
export function sequenceFlow(id: string, source: string, target: string, condition?: string): string {
  return element(
    'sequenceFlow',
    { id, sourceRef: source, targetRef: target },
    condition === undefined ? '' : conditionExpression(condition),
  );
}

function linesOf(flows: Flows): string[] {
  return joined(flows)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function flowsOf(line: string): string {
  const parts = /^(?:([^\s:]+): )?(\S+(?: -> \S+)+)(?: (=.*))?$/.exec(line);
  if (!parts)
    throw new Error(`Expected a flow such as "id: source -> target =condition", but found ${JSON.stringify(line)}`);
  const [, id, chain, condition] = parts;
  const nodes = chain!.split(' -> ');
  if (nodes.length > 2 && (id !== undefined || condition !== undefined))
    throw new Error(
      `A chain of flows has no id and no condition, but found ${JSON.stringify(line)}. Write one line per flow.`,
    );
  return nodes
    .slice(1)
    .map((target, index) => sequenceFlow(id ?? `${nodes[index]}_${target}`, nodes[index]!, target, condition))
    .join('\n');
}

function conditionExpression(condition: string): string {
  return element('conditionExpression', { 'xsi:type': 'bpmn:tFormalExpression' }, escape(condition));
}
