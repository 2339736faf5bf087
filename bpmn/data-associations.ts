/**
 * Data inputs and outputs of activities and events, and what flows through them: BPMN 2.0.2 sections 10.4.1 and 10.4.2. A data
 * input is a variable of the activity, a data object, property or process input one of the scope around it, so an
 * association is an input or output mapping. What is only drawn (to a data store, to nothing of the activity's own) carries nothing.
 */
import type { Expression, Mapping } from '../engine/graph.js';
import type { ModelCompiler } from './compiler.js';
import { isFeel, languageOf } from './conditions.js';
import type { BpmnElement } from './document.js';
import { isVariableName } from './variable-name.js';

export interface DataMappings {
  inputs?: Mapping[];
  outputs?: Mapping[];
}

/** What the data associations of `element` come to; its own `ioMapping` says all there is to say where it has one. */
export function dataMappingsOf(element: BpmnElement, compiler: ModelCompiler): DataMappings {
  if (element.extension('ioMapping')) return {};
  const specification = element.children('ioSpecification')[0] ?? element;
  const optional = new Set(specification.children('inputSets').flatMap((set) => set.references('optionalInputRefs')));
  const into = associationsByEnd(element, 'dataInputAssociations', 'targetRef');
  const outOf = associationsByEnd(element, 'dataOutputAssociations', 'sourceRef');
  const inputs = specification.children('dataInputs').flatMap((input) => inputMappings(element, input, { associations: into.get(input) ?? [], optional: optional.has(input) }, compiler));
  const outputs = specification.children('dataOutputs').flatMap((output) => outputMappings(element, output, outOf.get(output) ?? [], compiler));
  return { ...(inputs.length > 0 && { inputs }), ...(outputs.length > 0 && { outputs }) };
}

/** The variable that flows into a data input of `activity`, and the one that a data output flows to; undefined when none does. */
export function variableBehind(activity: BpmnElement, end: BpmnElement): string | undefined {
  const association = [...into(activity, end), ...outOf(activity, end)][0];
  if (!association) return nameOf(end);
  const other = end.type === 'dataInput' ? association.reference('sourceRef') : association.reference('targetRef');
  return other && nameOf(other);
}

/** What modelers write where an association ends at the activity itself. */
const PLACEHOLDER = '__targetRef_placeholder';

function into(element: BpmnElement, input: BpmnElement): BpmnElement[] {
  return associationsByEnd(element, 'dataInputAssociations', 'targetRef').get(input) ?? [];
}

function outOf(element: BpmnElement, output: BpmnElement): BpmnElement[] {
  return associationsByEnd(element, 'dataOutputAssociations', 'sourceRef').get(output) ?? [];
}

/** Those of `element` that end at (or come from) each data input or output, in document order. */
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

function inputMappings(element: BpmnElement, input: BpmnElement, { associations, optional }: { associations: BpmnElement[]; optional: boolean }, compiler: ModelCompiler): Mapping[] {
  if (input.name === PLACEHOLDER || isLoopInput(element, input)) return [];
  const name = nameOf(input);
  const fallback = fallbackOf(input, optional);
  if (associations.length === 0 && fallback === undefined) return [];
  if (name === undefined) return carriesNothing(element, input, compiler);
  if (associations.length === 0) return [{ source: compiler.value(input, fallback!, `value of data input ${name}`), target: [name] }];
  return associations.flatMap((association) => mappingsOf(element, association, { target: { element: input, name }, fallback }, compiler));
}

function outputMappings(element: BpmnElement, output: BpmnElement, associations: BpmnElement[], compiler: ModelCompiler): Mapping[] {
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
  /** In place of a source that has no value: FEEL with a sign of equality in front, or a literal. */
  fallback: string | undefined;
}

/** BPMN 2.0.2 section 10.4.2: a transformation, assignments, or else the source as it is. */
function mappingsOf(element: BpmnElement, association: BpmnElement, { target, fallback }: Flow, compiler: ModelCompiler): Mapping[] {
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
    compiler.problem('error', element, `The ${what} has ${sources.length} sources, so it needs a transformation that makes one value of them`);
    return [];
  }
  const name = nameOf(source);
  if (name === undefined) return carriesNothing(element, source, compiler);
  return [{ source: compiler.feel(element, fallback === undefined ? name : `get or else(${name}, ${feelText(fallback)})`, what), target: [target.name] }];
}

/** `to` names the target or, with dots behind it, a member of it. */
function assignmentMapping(element: BpmnElement, assignment: BpmnElement, target: Flow['target'], compiler: ModelCompiler): Mapping[] {
  const [from] = assignment.children('from');
  const to = assignment.children('to')[0]?.text.replace(/^=\s*/, '') ?? '';
  const [head, ...members] = to.split('.');
  const isTarget = to === '' || head === target.element.ownID || head === target.name;
  if (!from?.text || !isTarget || !members.every(isVariableName)) {
    compiler.problem('error', element, `An assignment of ${element.id} must go from an expression to ${target.name} or a member of it, but it goes to ${JSON.stringify(to)}`);
    return [];
  }
  const what = `assignment to ${target.name}`;
  const source = isFeel(from) ? feelOf(element, from, what, compiler) : compiler.value(element, from.text, what);
  return [{ source, target: [target.name, ...members] }];
}

function feelOf(element: BpmnElement, expression: BpmnElement, what: string, compiler: ModelCompiler): Expression {
  if (!isFeel(expression) && languageOf(expression)) {
    compiler.problem('error', element, `The ${what} is not FEEL but ${languageOf(expression)}: ${JSON.stringify(expression.text)}`);
    return { literal: null };
  }
  return compiler.feel(element, expression.text, what);
}

/** The name of the variable that an end of an association stands for; undefined when it can be no variable's name. */
function nameOf(end: BpmnElement): string | undefined {
  const object = end.type === 'dataObjectReference' ? end.reference('dataObjectRef') : end;
  const name = object?.name ?? end.name ?? object?.ownID ?? '';
  return isVariableName(name) ? name : undefined;
}

/** The value of a data input or output that nothing else gives: extension `value`, as data objects have it; null for an optional input. */
function fallbackOf(end: BpmnElement, optional: boolean): string | undefined {
  const extension = end.extension('value');
  return (extension?.attribute('value') ?? extension?.text) || (optional ? '=null' : undefined);
}

function feelText(given: string): string {
  return given.startsWith('=') ? given.slice(1) : JSON.stringify(given);
}

/** The collection of a multi-instance activity is no input of each of its instances. */
function isLoopInput(element: BpmnElement, input: BpmnElement): boolean {
  return element.children('loopCharacteristics')[0]?.reference('loopDataInputRef') === input;
}

function isLoopOutput(element: BpmnElement, output: BpmnElement): boolean {
  return element.children('loopCharacteristics')[0]?.reference('loopDataOutputRef') === output;
}

function carriesNothing(element: BpmnElement, end: BpmnElement, compiler: ModelCompiler): [] {
  compiler.problem('warning', element, `The data association of ${element.id} carries nothing: ${JSON.stringify(end.name ?? end.id)} is no variable name`);
  return [];
}
