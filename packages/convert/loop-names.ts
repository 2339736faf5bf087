/** The meaning of names in JUEL, by the place of the expression in the file. */
import { asVariable, inCompletionCondition, insideLoop, withoutProvided, type Names } from '@perdure/juel/names.js';
import { booleanOf } from '@perdure/xml/names.js';
import { isBpmn } from './names.js';
import { bpmnChild } from './xml/edit.js';
import type { Element } from './xml/document.js';

/** For an expression that is evaluated at `element`; in a loop, in each of its instances. */
export function namesAt(element: Element): Names {
  if (isBpmn(element, 'completionCondition')) return ofCompletion(element.parentElement!);
  for (let around: Element | null = element; around; around = around.parentElement)
    if (bpmnChild(around, 'multiInstanceLoopCharacteristics')) return withoutProvided(insideLoop);
  return withoutProvided(asVariable);
}

/** For an expression that is evaluated before the activity has instances. */
export function namesAround(activity: Element): Names {
  return activity.parentElement ? namesAt(activity.parentElement) : withoutProvided(asVariable);
}

function ofCompletion(characteristics: Element): Names {
  const isSequential = booleanOf(characteristics.getAttribute('isSequential') ?? '') ?? false;
  return withoutProvided(inCompletionCondition(isSequential));
}
