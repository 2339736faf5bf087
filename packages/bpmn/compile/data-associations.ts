/**
 * Data inputs and outputs of activities and events, and their associations: BPMN 2.0.2 sections 10.4.1 and 10.4.2. A
 * data input is a variable of the activity; a data object, property or process input is a variable of the enclosing
 * scope. An association is therefore an input or output mapping. Associations that are only drawn (to a data store, or
 * to nothing in the activity) transfer no data.
 */
import type { Expression, Mapping } from '@perdure/engine/model/graph.js';
import type { ModelCompiler } from './compiler.js';
import { isFeel, languageOf } from '../read/expression-language.js';
import type { BpmnElement } from '../read/document.js';
import { isVariableName } from '../check/variable-name.js';

interface DataMappings {
  inputs?: Mapping[];
  outputs?: Mapping[];
}

/** The mappings given by the data associations of `element`; its own `ioMapping` takes precedence over all of them. */
export function dataMappingsOf(element: BpmnElement, compiler: ModelCompiler): DataMappings {
  if (element.extension('ioMapping')) return {};
  const specification = element.children('ioSpecification')[0] ?? element;
  const optional = new Set(specification.children('inputSets').flatMap((set) => set.references('optionalInputRefs')));
  const into = associationsByEnd(element, 'dataInputAssociations', 'targetRef');
  const outOf = associationsByEnd(element, 'dataOutputAssociations', 'sourceRef');
  const inputs = specification
    .children('dataInputs')
    .flatMap((input) =>
      inputMappings(element, input, { associations: into.get(input) ?? [], optional: optional.has(input) }, compiler),
    );
  const outputs = specification
    .children('dataOutputs')
    .flatMap((output) => outputMappings(element, output, outOf.get(output) ?? [], compiler));
  return { ...(inputs.length > 0 && { inputs }), ...(outputs.length > 0 && { outputs }) };
}

/**
 * The variable that a data input of `activity` is read from, or that a data output is written to; undefined if none.
 */
export function variableBehind(activity: BpmnElement, end: BpmnElement): string | undefined {
  const association = [...into(activity, end), ...outOf(activity, end)][0];
  if (!association) return nameOf(end);
  const other = end.type === 'dataInput' ? association.reference('sourceRef') : association.reference('targetRef');
  return other && nameOf(other);
}

/** Names used by modelers for an association that ends at the activity itself. */
const PLACEHOLDER = '__targetRef_placeholder';

function into(element: BpmnElement, input: BpmnElement): BpmnElement[] {
  return associationsByEnd(element, 'dataInputAssociations', 'targetRef').get(input) ?? [];
}

function outOf(element: BpmnElement, output: BpmnElement): BpmnElement[] {
  return associationsByEnd(element, 'dataOutputAssociations', 'sourceRef').get(output) ?? [];
}

/** Associations of `element` by the data input or output that they end at (or start from), in document order. */
function associationsByEnd(element: BpmnElement, kind: string, end: string): ReadonlyMap<BpmnElement, BpmnElement[]> {
  const found = new Map<BpmnElement, BpmnElement[]>();
  for (const association of element.children(kind)) {
    for (const at of new Set(association.references(end))) {
      const others = found.get(at);
      if (others) others.push(association);
      else found.set(at, [association]);
    }
  }
  return found;
}

function inputMappings(
  element: BpmnElement,
  input: BpmnElement,
  { associations, optional }: { associations: BpmnElement[]; optional: boolean },
  compiler: ModelCompiler,
): Mapping[] {
  if (input.name === PLACEHOLDER || isLoopInput(element, input)) return [];
  const name = nameOf(input);
  const fallback = fallbackOf(input, optional);
  if (associations.length === 0 && fallback === undefined) return [];
  if (name === undefined) return carriesNothing(element, input, compiler);
  if (associations.length === 0)
    return [{ source: compiler.value(input, fallback!, `value of data input ${name}`), target: [name] }];
  return associations.flatMap((association) =>
    mappingsOf(element, association, { target: { element: input, name }, fallback }, compiler),
  );
}

function outputMappings(
  element: BpmnElement,
  output: BpmnElement,
  associations: BpmnElement[],
  compiler: ModelCompiler,
): Mapping[] {
  if (output.name === PLACEHOLDER) return [];
  const fallback = fallbackOf(output, false);
  return associations.flatMap((association) => {
    const target = association.reference('targetRef');
    if (!target || target.type === 'dataStoreReference' || isLoopOutput(element, output)) return [];
    const name = nameOf(target);
    if (name === undefined) return carriesNothing(element, target, compiler);
    return mappingsOf(element, association, { target: { element: target, name }, fallback }, compiler);
  });
}

interface Flow {
  target: { element: BpmnElement; name: string };
  /** Replaces a source that has no value: FEEL with a leading equals sign, or a literal. */
  fallback: string | undefined;
}

/** BPMN 2.0.2 section 10.4.2: a transformation, assignments, or otherwise the source unchanged. */
function mappingsOf(
  element: BpmnElement,
  association: BpmnElement,
  { target, fallback }: Flow,
  compiler: ModelCompiler,
): Mapping[] {
  const what = `data association to ${target.name}`;
  const transformation = association.children('transformation')[0];
  const given = association.children('assignment');
  const assignments = given.flatMap((assignment) => assignmentMapping(element, assignment, target, compiler));
  if (transformation?.text) {
    const source = feelOf(element, transformation, what, compiler);
    return [{ source, target: [target.name] }, ...assignments];
  }
  if (given.length > 0) return assignments;
  const sources = association.references('sourceRef');
  const [source] = sources;
  if (!source || source.type === 'dataStoreReference') return [];
  if (sources.length > 1) {
    compiler.problem(
      'error',
      element,
      `The ${what} has ${sources.length} sources, so it needs a transformation that combines them into one value`,
    );
    return [];
  }
  const name = nameOf(source);
  if (name === undefined) return carriesNothing(element, source, compiler);
  return [
    {
      source: compiler.feel(
        element,
        fallback === undefined ? name : `get or else(${name}, ${feelText(fallback)})`,
        what,
      ),
      target: [target.name],
    },
  ];
}

/** `to` names the target or, after dots, a member of it. */
function assignmentMapping(
  element: BpmnElement,
  assignment: BpmnElement,
  target: Flow['target'],
  compiler: ModelCompiler,
): Mapping[] {
  const [from] = assignment.children('from');
  const to = assignment.children('to')[0]?.text.replace(/^=\s*/, '') ?? '';
  const [head, ...members] = to.split('.');
  const isTarget = to === '' || head === target.element.ownID || head === target.name;
  if (!from?.text || !isTarget || !members.every(isVariableName)) {
    compiler.problem(
      'error',
      element,
      `An assignment of ${element.id} must assign an expression to ${target.name} or a member of it, but assigns to ${JSON.stringify(to)}`,
    );
    return [];
  }
  const what = `assignment to ${target.name}`;
  const source = isFeel(from) ? feelOf(element, from, what, compiler) : compiler.value(element, from.text, what);
  return [{ source, target: [target.name, ...members] }];
}

function feelOf(element: BpmnElement, expression: BpmnElement, what: string, compiler: ModelCompiler): Expression {
  if (!isFeel(expression) && languageOf(expression)) {
    compiler.problem(
      'error',
      element,
      `The ${what} is not FEEL but ${languageOf(expression)}. Rewrite ${JSON.stringify(expression.text)} in FEEL: =...`,
    );
    return { literal: null };
  }
  return compiler.feel(element, expression.text, what);
}

/** The variable name of one end of an association; undefined if it is not a valid variable name. */
function nameOf(end: BpmnElement): string | undefined {
  const object = end.type === 'dataObjectReference' ? end.reference('dataObjectRef') : end;
  const name = object?.name ?? end.name ?? object?.ownID ?? '';
  return isVariableName(name) ? name : undefined;
}

/**
 * The value of a data input or output that has no other source: extension `value`, as for data objects; null for an
 * optional input.
 */
function fallbackOf(end: BpmnElement, optional: boolean): string | undefined {
  const extension = end.extension('value');
  return (extension?.attribute('value') ?? extension?.text) || (optional ? '=null' : undefined);
}

function feelText(given: string): string {
  return given.startsWith('=') ? given.slice(1) : JSON.stringify(given);
}

/** The collection of a multi-instance activity is not an input of its individual instances. */
function isLoopInput(element: BpmnElement, input: BpmnElement): boolean {
  return element.children('loopCharacteristics')[0]?.reference('loopDataInputRef') === input;
}

function isLoopOutput(element: BpmnElement, output: BpmnElement): boolean {
  return element.children('loopCharacteristics')[0]?.reference('loopDataOutputRef') === output;
}

function carriesNothing(element: BpmnElement, end: BpmnElement, compiler: ModelCompiler): [] {
  compiler.problem(
    'warning',
    element,
    `The data association of ${element.id} transfers no data: ${JSON.stringify(end.name ?? end.id)} is not a variable name`,
  );
  return [];
}
