/** Finds ids that are there twice, and references to nothing, before a compiler reports them by line and column. */
import { visit } from '@perdure/xml/scan.js';

/** Attributes that hold the id of an element of the file. */
const REFERENCES = [
  'sourceRef',
  'targetRef',
  'attachedToRef',
  'activityRef',
  'default',
  'messageRef',
  'signalRef',
  'errorRef',
  'escalationRef',
] as const;

interface Found {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** @throws Error with everything that is wrong */
export function checkIDs(xml: string): void {
  const elements = elementsOf(xml);
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
  const problems = [...duplicates(ids), ...unknownReferences(elements, new Set(ids))];
  if (problems.length > 0)
    throw new Error(`The model has wrong ids:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

function elementsOf(xml: string): Found[] {
  const elements: Found[] = [];
  const refusal = visit(xml, {
    open(name, attributes) {
      if (name.startsWith('bpmn:')) elements.push({ name: name.slice('bpmn:'.length), attributes });
    },
    close: () => undefined,
    text: () => undefined,
  });
  if (refusal) throw new Error(refusal.message);
  return elements;
}

function duplicates(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const again = ids.filter((id) => seen.size === seen.add(id).size);
  return [...new Set(again)].map((id) => `More than one element has the id "${id}"`);
}

function unknownReferences(elements: readonly Found[], ids: ReadonlySet<string>): string[] {
  return elements.flatMap(({ name, attributes }) =>
    REFERENCES.flatMap((reference) => {
      const target = attributes.get(reference);
      if (target === undefined || ids.has(target)) return [];
      return [`${name} "${attributes.get('id') ?? ''}": ${reference} is "${target}", but no element has this id`];
    }),
  );
}
