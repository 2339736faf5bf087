/** A state without some variables, for readers outside of the host. */
import { changeVariables } from '../state/element-data.js';
import type { Variables } from '../contract/json.js';
import type { Compensable, ElementInstance, State } from '../state/state.js';
import type { RedactedNames } from './variables.js';

/** The state itself if there are no names. Items and results of loops have no name here, so all of them are null. */
export function withoutVariables(state: State, names: RedactedNames): State {
  if (names.size === 0) return state;
  const without = (variables: Variables): Variables =>
    Object.fromEntries(Object.entries(variables).filter(([name]) => !names.has(name)));
  const elements: State['elements'] = {};
  for (const key in state.elements) elements[key] = ofElement(state.elements[key]!, without);
  return { ...state, elements };
}

type Change = (variables: Variables) => Variables;

function ofElement(element: ElementInstance, without: Change): ElementInstance {
  const { variables, data, loop, compensable, compensation } = element;
  return {
    ...element,
    ...(variables && { variables: without(variables) }),
    ...(data && { data: changeVariables(data, without) }),
    ...(loop && { loop: ofLoop(loop) }),
    ...(compensable && { compensable: compensable.map((each) => ofCompensable(each, without)) }),
    ...(compensation && {
      compensation: { ...compensation, queue: compensation.queue.map((each) => ofCompensable(each, without)) },
    }),
  };
}

function ofLoop(loop: NonNullable<ElementInstance['loop']>): NonNullable<ElementInstance['loop']> {
  const { items, output } = loop;
  return {
    ...loop,
    ...(items && { items: items.map(() => null) }),
    ...(output && { output: { ...output, values: output.values.map(() => null) } }),
  };
}

function ofCompensable(record: Compensable, without: Change): Compensable {
  const { variables, inside } = record;
  return {
    ...record,
    ...(variables && { variables: without(variables) }),
    ...(inside && { inside: inside.map((each) => ofCompensable(each, without)) }),
  };
}
