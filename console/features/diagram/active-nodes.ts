/** Tokens and incidents per node, summed over all scopes, of the current state of an instance or of one step. */
import type { Schemas } from '../../frame/api/client.js';
import type { NodeMarks } from './node-marks.js';

interface ActiveNodes {
  activeScopes: readonly Pick<Schemas['ActiveScope'], 'activeNodes'>[];
  incidents: readonly Pick<Schemas['BpmnIncident'], 'nodeID'>[];
}

export function marksOf({ activeScopes, incidents }: ActiveNodes, isPaused: boolean): Map<string, NodeMarks> {
  const marks = new Map<string, NodeMarks>();
  const at = (nodeID: string) =>
    marks.get(nodeID) ?? marks.set(nodeID, { tokens: 0, incidents: 0, isPaused }).get(nodeID)!;
  for (const { activeNodes } of activeScopes)
    for (const [nodeID, tokens] of Object.entries(activeNodes)) at(nodeID).tokens += tokens;
  for (const { nodeID } of incidents) at(nodeID).incidents += 1;
  return marks;
}
