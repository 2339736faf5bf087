/** Names of the nodes of a BPMN file, by their ids; a node without a name has none here. */
export function readNodeNames(xml: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  for (const element of document.querySelectorAll('[id][name]')) names.set(element.id, element.getAttribute('name')!.trim().replaceAll(/\s+/g, ' '));
  return names;
}
