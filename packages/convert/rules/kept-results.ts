/**
 * Outputs of other engines come in addition to what the work of an element sets. Here, output mappings replace it, unless
 * the element keeps its results.
 */
import type { Context, Rule } from '../context.js';
import { isBpmn } from '../names.js';
import { bpmnChild, hasZeebeExtension, keepResults, zeebeExtension } from '../xml/edit.js';
import { elementsOf, type Element } from '../xml/document.js';
import { addOutput } from './mappings.js';

export const keptResults: Rule = (element, context) => {
  if (!isBpmn(element) || !hasZeebeExtension(element, 'ioMapping')) return;
  const mapping = zeebeExtension(element, 'ioMapping');
  const mapped = elementsOf(mapping);
  if (!context.mappedOutputs.has(mapping) || !mapped.some(({ localName }) => localName === 'output')) return;
  const result = resultVariableOf(element);
  if (result === undefined) return keepUnknown(element, context);
  if (!mapped.some((each) => each.getAttribute('target') === result)) addOutput(element, `=${result}`, result);
};

/** Of a script or a decision, which set nothing else. */
function resultVariableOf(element: Element): string | undefined {
  const kind = ['script', 'calledDecision'].find((name) => hasZeebeExtension(element, name));
  const result = kind && zeebeExtension(element, kind).getAttribute('resultVariable');
  // Without a name, the result of a decision was local to its task.
  return result && result !== 'decisionResult' ? result : undefined;
}

function keepUnknown(element: Element, context: Context): void {
  if (!returnsVariables(element)) return;
  if (isBpmn(element, 'startEvent')) {
    context.find(
      'review',
      element,
      'All variables that its event brings were set. Only its outputs are set now. Add an output for each other variable that is read later.',
    );
    return;
  }
  keepResults(element);
  context.find(
    'review',
    element,
    'Besides its outputs, all variables that it receives on completion are set, as before (perdure:keepResults). They stay set if an output fails. Remove the extension to set only the outputs.',
  );
}

/** Whether its work returns variables that the model does not name. */
function returnsVariables(element: Element): boolean {
  if (isBpmn(element, 'callActivity'))
    return zeebeExtension(element, 'calledElement').getAttribute('propagateAllChildVariables') === 'true';
  if (isBpmn(element, 'userTask', 'receiveTask') || hasZeebeExtension(element, 'taskDefinition')) return true;
  const definitions = ['messageEventDefinition', 'signalEventDefinition'];
  return (
    isBpmn(element, 'startEvent', 'intermediateCatchEvent', 'boundaryEvent') &&
    definitions.some((type) => bpmnChild(element, type) !== undefined)
  );
}
