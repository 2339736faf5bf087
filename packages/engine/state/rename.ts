/** Renames all nodes and sequence flows in a state, in place. */
import { renameElementData } from './element-data.js';
import type { Compensable, ElementInstance, State } from './state.js';

type Names = ReadonlyMap<string, string>;

/** @param nodes new ids by old ones; all others keep their ids */
export function renameState(state: State, nodes: Names, flows: Names): void {
  for (const element of Object.values(state.elements)) renameElement(element, nodes, flows);
  for (const [id, wait] of Object.entries(state.waits))
    state.waits[Number(id)] = { ...wait, node: renamed(nodes, wait.node) };
  for (const [id, incident] of Object.entries(state.incidents))
    state.incidents[Number(id)] = { ...incident, node: renamed(nodes, incident.node) };
  for (const tokens of [state.moving, state.arrived]) {
    for (const [index, token] of tokens.entries()) tokens[index] = { ...token, flow: renamed(flows, token.flow) };
  }
}

function renamed(names: Names, id: string): string {
  return names.get(id) ?? id;
}

function renameElement(element: ElementInstance, nodes: Names, flows: Names): void {
  element.node = renamed(nodes, element.node);
  const { data, compensable, compensation } = element;
  if (data)
    element.data = renameElementData(
      data,
      (id) => renamed(nodes, id),
      (id) => renamed(flows, id),
    );
  if (compensable) element.compensable = compensable.map((record) => renameCompensable(record, nodes));
  if (compensation)
    element.compensation = {
      ...compensation,
      queue: compensation.queue.map((record) => renameCompensable(record, nodes)),
    };
}

function renameCompensable(record: Compensable, nodes: Names): Compensable {
  const { event, inside } = record;
  return {
    ...record,
    node: renamed(nodes, record.node),
    ...(event !== undefined && { event: renamed(nodes, event) }),
    ...(inside && { inside: inside.map((inner) => renameCompensable(inner, nodes)) }),
  };
}
