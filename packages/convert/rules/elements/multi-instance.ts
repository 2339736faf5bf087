/** Collections of multi-instance activities; their expressions are converted where all expressions are. */
import type { Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import { holdsJuel } from '@perdure/juel/text.js';
import { namesAround } from '../../loop-names.js';
import { bpmnChild, engineExtensions, remove, takeAttribute, textOf, zeebeExtension } from '../../xml/edit.js';

export const multiInstance: Rule = (element, context) => {
  if (!isBpmn(element, 'multiInstanceLoopCharacteristics')) return;
  const activity = element.parentElement!;
  const inputData = bpmnChild(element, 'loopDataInputRef');
  const collection = takeAttribute(element, 'collection') ?? (inputData && textOf(inputData));
  const inputItem = bpmnChild(element, 'inputDataItem');
  const variable = takeAttribute(element, 'elementVariable') ?? inputItem?.getAttribute('name') ?? undefined;
  for (const aggregation of engineExtensions(element, 'variableAggregation')) {
    context.find(
      'unsupported',
      aggregation,
      'variableAggregation was left out. Collect the results with outputCollection and outputElement.',
    );
    remove(aggregation);
  }
  if (collection === undefined) return;
  const source = holdsJuel(collection) ? collection : `\${${collection}}`;
  const loop = zeebeExtension(element, 'loopCharacteristics');
  const feel = context.feel(element, source, 'collection', namesAround(activity));
  if (feel === source)
    context.find('unsupported', element, `The loop has no collection: ${quoted(source)} must be a FEEL expression.`);
  loop.setAttribute('inputCollection', feel);
  if (variable !== undefined) loop.setAttribute('inputElement', variable);
  for (const used of [inputData, inputItem]) if (used) remove(used);
};
