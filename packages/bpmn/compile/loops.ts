/** Loop characteristics of an activity: BPMN 2.0.2 sections 10.3.8, 13.3.6 and 13.3.7. */
import type { Loop } from '@perdure/engine/model/graph.js';
import { inCompletionCondition } from '@perdure/juel/names.js';
import type { ModelCompiler } from './compiler.js';
import type { BpmnElement } from '../read/document.js';
import { variableBehind } from './data-associations.js';
import { namesAround } from './juel-names.js';
import type { SourceExtension } from '@perdure/engine/model/source.js';

/** The loop of `activity`; undefined if it has none, or after a reported error. */
export function compileLoop(activity: BpmnElement, compiler: ModelCompiler): Loop | undefined {
  const characteristics = activity.children('loopCharacteristics')[0];
  if (!characteristics) return undefined;
  return characteristics.type === 'standardLoopCharacteristics'
    ? standardLoop(activity, characteristics, compiler)
    : multiInstance(activity, characteristics, compiler);
}

function standardLoop(activity: BpmnElement, characteristics: BpmnElement, compiler: ModelCompiler): Loop {
  const condition = characteristics.children('loopCondition')[0]?.text;
  const maximum = characteristics.attribute('loopMaximum');
  if (!condition && maximum === undefined) {
    compiler.problem(
      'error',
      activity,
      'A standard loop needs a loopCondition or a loopMaximum, otherwise it never ends',
    );
  }
  return {
    kind: 'standard',
    testBefore: characteristics.flag('testBefore', false),
    ...(condition && { condition: compiler.feel(activity, condition, 'loop condition') }),
    ...(maximum !== undefined && { maximum: { literal: maximumOf(activity, maximum, compiler) } }),
  };
}

function maximumOf(activity: BpmnElement, text: string, compiler: ModelCompiler): number {
  if (!/^\s*[0-9]{1,9}\s*$/.test(text))
    compiler.problem('error', activity, `loopMaximum must be a whole number, but is ${JSON.stringify(text)}`);
  return Number(text);
}

function multiInstance(activity: BpmnElement, characteristics: BpmnElement, compiler: ModelCompiler): Loop | undefined {
  const extension = characteristics.extension('loopCharacteristics');
  const data = loopData(activity, characteristics);
  const collection = extension?.attribute('inputCollection') ?? data.collection;
  const cardinality = characteristics.children('loopCardinality')[0]?.text;
  if (!collection && !cardinality) {
    compiler.problem(
      'error',
      activity,
      'A multi-instance activity needs a collection to iterate over (loopCharacteristics with an inputCollection) or a loopCardinality',
    );
    return undefined;
  }
  const outputElement = extension?.attribute('outputElement') ?? data.outputElement;
  checkPairs(activity, { collection, cardinality, data, extension }, compiler);
  const completionCondition = characteristics.children('completionCondition')[0]?.text;
  const sequential = characteristics.flag('isSequential', false);
  return {
    kind: 'multiInstance',
    sequential,
    ...(collection
      ? { collection: compiler.feel(activity, collection, 'input collection', namesAround(activity)) }
      : { cardinality: compiler.feel(activity, cardinality!, 'loop cardinality', namesAround(activity)) }),
    ...variable(activity, extension, 'inputElement', data.inputElement, compiler),
    ...variable(activity, extension, 'outputCollection', data.outputCollection, compiler),
    ...(outputElement && { outputElement: compiler.feel(activity, outputElement, 'output element') }),
    ...(completionCondition && {
      completionCondition: compiler.feel(
        activity,
        completionCondition,
        'completion condition',
        inCompletionCondition(sequential),
      ),
    }),
  };
}

interface LoopParts {
  collection: string | undefined;
  cardinality: string | undefined;
  data: LoopData;
  extension: SourceExtension | undefined;
}

/** Camunda 8 refuses half of a pair. The parts of BPMN's own notation are optional, so that a model may lack one. */
function checkPairs(
  activity: BpmnElement,
  { collection, cardinality, data, extension }: LoopParts,
  compiler: ModelCompiler,
): void {
  const report = (severity: 'error' | 'warning', text: string) =>
    compiler.problem(severity, activity, `The multi-instance loop of ${activity.id} has ${text}`);
  const half = (given: 'outputElement' | 'outputCollection', missing: 'outputElement' | 'outputCollection') => {
    const own = extension?.attribute(given);
    if ((own || data[given]) && !(extension?.attribute(missing) || data[missing]))
      report(
        own ? 'error' : 'warning',
        `an ${given} but no ${missing}, so its results are not collected. Add the ${missing}, or remove the ${given}.`,
      );
  };
  half('outputElement', 'outputCollection');
  half('outputCollection', 'outputElement');
  if (!collection && extension?.attribute('inputElement'))
    report(
      'error',
      'an inputElement but no inputCollection that it could come from. Add one, or remove the inputElement.',
    );
  if (collection && cardinality)
    report('warning', 'a collection, so its loopCardinality is ignored. Remove one of them.');
}

interface LoopData {
  collection?: string;
  inputElement?: string;
  outputCollection?: string;
  outputElement?: string;
}

/**
 * BPMN's own notation, section 10.3.8: data inputs and outputs of the activity for the collections and for the items of
 * both.
 */
function loopData(activity: BpmnElement, characteristics: BpmnElement): LoopData {
  const [input, output] = [
    characteristics.reference('loopDataInputRef'),
    characteristics.reference('loopDataOutputRef'),
  ];
  const [inputItem, outputItem] = [
    characteristics.children('inputDataItem')[0],
    characteristics.children('outputDataItem')[0],
  ];
  const collection = input && variableBehind(activity, input);
  const outputCollection = output && variableBehind(activity, output);
  return {
    ...(collection && { collection }),
    ...(inputItem && { inputElement: inputItem.name ?? inputItem.id }),
    ...(outputCollection && { outputCollection }),
    ...(outputItem && { outputElement: outputItem.name ?? outputItem.id }),
  };
}

function variable<N extends string>(
  activity: BpmnElement,
  extension: SourceExtension | undefined,
  name: N,
  fromData: string | undefined,
  compiler: ModelCompiler,
): { [K in N]?: string } {
  const given = extension?.attribute(name) ?? fromData;
  if (!given) return {};
  return { [name]: compiler.variableName(activity, given, name) } as { [K in N]?: string };
}
