/** Names that other engines provide in a multi-instance activity. Their `loopCounter` starts at 0. */
import { isBpmn } from './names.js';
import type { Names } from './juel/feel.js';
import { bpmnChild } from './xml/edit.js';
import type { Element } from './xml/document.js';

const FROM_ZERO = '(loopCounter - 1)';
const COUNTERS: ReadonlySet<string> = new Set(['nrOfInstances', 'nrOfActiveInstances', 'nrOfCompletedInstances']);

/** For an expression that is evaluated at `element`; in a loop, in each of its instances. */
export const namesAt = (element: Element): Names => {
  if (isBpmn(element, 'completionCondition')) return ofCompletion(element.parentElement!);
  for (let around: Element | null = element; around; around = around.parentElement)
    if (bpmnChild(around, 'multiInstanceLoopCharacteristics')) return inside;
  return (name) => name;
};

/** For an expression that is evaluated before the activity has instances. */
export function namesAround(activity: Element): Names {
  return activity.parentElement ? namesAt(activity.parentElement) : (name) => name;
}

function inside(name: string): string | undefined {
  if (name === 'loopCounter') return FROM_ZERO;
  return COUNTERS.has(name) ? undefined : name;
}

/** A sequential activity counts differently here: the instance that has just completed is no longer active. */
function ofCompletion(characteristics: Element): Names {
  const isSequential = characteristics.getAttribute('isSequential') === 'true';
  return (name) => {
    if (name === 'loopCounter') return isSequential ? undefined : FROM_ZERO;
    if (isSequential && name === 'nrOfActiveInstances') return undefined;
    return COUNTERS.has(name) ? name.replace('nrOf', 'numberOf') : name;
  };
}
