/** The decisions of a model and the inputs of each, for lists and forms. */
import type { CompiledModel, Decision, Element, Type } from './model.js';

export interface DecisionSummary {
  decisionID: string;
  decisionName: string;
  versionTag?: string;
  inputFields: { name: string; typeRef?: string }[];
}

/** Summaries of the decisions in the file itself. */
export function summarizeDecisions(model: CompiledModel): DecisionSummary[] {
  return model.elements
    .map((element, position) => ({ element, position }))
    .filter(({ element }) => element.kind === 'decision' && element.file === 0)
    .map(({ element, position }) => ({
      decisionID: element.id,
      decisionName: element.name,
      ...('versionTag' in element && { versionTag: element.versionTag }),
      inputFields: inputFields(model, position),
    }));
}

/** Input data that a decision needs, directly or indirectly, and names that nothing in the model declares. */
function inputFields(model: CompiledModel, decision: number): DecisionSummary['inputFields'] {
  const fields = new Map<string, string | undefined>();
  const seen = new Set<number>();
  const open = [decision];
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    if (seen.has(position)) continue;
    seen.add(position);
    const element = model.elements[position] as Element;
    if (element.kind === 'input data') fields.set(element.name, element.type && nameOf(model, element.type));
    if (element.kind !== 'decision') continue;
    for (const name of (element satisfies Decision).undeclared) fields.set(name, undefined);
    open.push(...element.requires.map((requirement) => requirement.element).toReversed());
  }
  return [...fields].map(([name, typeRef]) => ({ name, ...(typeRef !== undefined && { typeRef }) }));
}

function nameOf({ types }: CompiledModel, type: Type): string | undefined {
  if (type.kind === 'simple') return type.name;
  return type.kind === 'item' ? types[type.item]?.name : undefined;
}
