/** The meaning of names in JUEL, by the place of the expression in the file. */
import type { SourceElement } from '@perdure/engine/model/source.js';
import { asVariable, insideLoop, type Names } from '@perdure/juel/names.js';
import { BpmnElement } from '../read/document.js';

/** For an expression that is evaluated at `element`; for a multi-instance activity, in each of its instances. */
export function namesAt(element: SourceElement): Names {
  for (let around = element instanceof BpmnElement ? element : undefined; around; around = around.parent) {
    if (around.children('loopCharacteristics').some(({ type }) => type === 'multiInstanceLoopCharacteristics'))
      return insideLoop;
  }
  return asVariable;
}

/** For an expression that is evaluated before `activity` has instances. */
export function namesAround({ parent }: BpmnElement): Names {
  return parent ? namesAt(parent) : asVariable;
}
