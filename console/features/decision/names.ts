/** Names of elements of a DMN file for people, by their ids: those of rules and cells are places in their decision. */

export function namesOfElements(xml: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (xml === '') return names;
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  for (const element of document.querySelectorAll('[id]')) names.set(element.id, nameOf(element));
  for (const table of document.getElementsByTagNameNS('*', 'decisionTable')) nameRules(table, names);
  return names;
}

function nameOf(element: Element): string {
  return element.closest('[name]')?.getAttribute('name') || element.id;
}

function nameRules(table: Element, names: Map<string, string>): void {
  const decision = nameOf(table);
  const rules = Array.from(table.children).filter(({ localName }) => localName === 'rule');
  for (const [index, rule] of rules.entries())
    for (const element of [rule, ...rule.querySelectorAll('[id]')])
      if (element.id !== '') names.set(element.id, `${decision}, rule ${index + 1}`);
}
