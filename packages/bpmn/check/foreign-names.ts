/**
 * Equivalents of the names that Camunda 7, Activiti and Flowable provide in expressions of a multi-instance activity.
 * Their `loopCounter` starts at 0. In the completion condition of a sequential activity they differ in what is counted.
 */
import type { SourceElement } from '@perdure/engine/model/source.js';
import { BpmnElement } from '../read/document.js';
import type { ForeignNames } from './foreign-expression.js';

const FROM_ZERO = '(loopCounter - 1)';

/** Undefined: no certain equivalent. */
type Translations = ReadonlyMap<string, string | undefined>;

const INSIDE: Translations = new Map([
  ['loopCounter', FROM_ZERO],
  ['nrOfInstances', undefined],
  ['nrOfActiveInstances', undefined],
  ['nrOfCompletedInstances', undefined],
]);

const OF_COMPLETION: Translations = new Map([
  ['loopCounter', FROM_ZERO],
  ['nrOfInstances', 'numberOfInstances'],
  ['nrOfActiveInstances', 'numberOfActiveInstances'],
  ['nrOfCompletedInstances', 'numberOfCompletedInstances'],
]);

const OF_SEQUENTIAL_COMPLETION: Translations = new Map([
  ...OF_COMPLETION,
  ['loopCounter', undefined],
  ['nrOfActiveInstances', undefined],
]);

/** Names for expressions evaluated at `element`; for a multi-instance activity, in each of its instances. */
export function foreignNamesAt(element: SourceElement): ForeignNames {
  for (let around = element instanceof BpmnElement ? element : undefined; around; around = around.parent) {
    if (around.children('loopCharacteristics').some(({ type }) => type === 'multiInstanceLoopCharacteristics'))
      return translated(INSIDE);
  }
  return (name) => name;
}

/** Names for expressions evaluated before `activity` has instances. */
export function foreignNamesAround({ parent }: BpmnElement): ForeignNames {
  return parent ? foreignNamesAt(parent) : (name) => name;
}

export function foreignNamesOfCompletion(sequential: boolean): ForeignNames {
  return translated(sequential ? OF_SEQUENTIAL_COMPLETION : OF_COMPLETION);
}

function translated(names: Translations): ForeignNames {
  return (name) => (names.has(name) ? names.get(name) : name);
}
