/** Events of Flowable's event registry become messages of the same name. */
import type { Context, Rule } from '../../context.js';
import { isBpmn } from '../../names.js';
import { quoted } from '../../report.js';
import {
  addRootElement,
  bpmnChildren,
  createBpmn,
  engineExtensions,
  insertIndented,
  remove,
  textOf,
} from '../../xml/edit.js';
import { elementsOf, type Element } from '../../xml/document.js';
import { addOutput } from '../mappings.js';

/** Only the registry reads these; where events come from is not the model's concern here. */
const OF_CHANNELS = ['channelKey', 'systemChannel', 'startEventCorrelationConfiguration', 'eventCorrelationParameter'];

export const eventRegistry: Rule = (element, context) => {
  if (!isBpmn(element, 'startEvent', 'intermediateCatchEvent', 'boundaryEvent')) return;
  const [type] = engineExtensions(element, 'eventType');
  const hasDefinition = elementsOf(element).some(({ localName }) => localName!.endsWith('EventDefinition'));
  if (!type || hasDefinition) return;
  const name = textOf(type);
  addMessage(element, name, context);
  mapPayload(element);
  for (const extension of engineExtensions(element, 'eventType', ...OF_CHANNELS)) remove(extension);
  context.find(
    'converted',
    element,
    `The event ${quoted(name)} became a message, which is published where the event came from.`,
  );
};

/** Without output mappings, all members of the payload keep their names. */
function mapPayload(element: Element): void {
  const parameters = engineExtensions(element, 'eventOutParameter');
  const pairs = parameters.flatMap((parameter) => {
    const [source, target] = ['source', 'target'].map((attribute) => parameter.getAttribute(attribute));
    return source && target ? [{ source, target }] : [];
  });
  if (pairs.some(({ source, target }) => source !== target))
    for (const { source, target } of pairs) addOutput(element, `=${source}`, target);
  for (const parameter of parameters) remove(parameter);
}

function addMessage(element: Element, name: string, context: Context): void {
  const known = bpmnChildren(context.root, 'message').find((message) => message.getAttribute('name') === name);
  const messageRef = known?.getAttribute('id') ?? context.newID(`Message_${name.replaceAll(/[^\w-]/g, '_')}`);
  if (!known) addRootElement(element, 'message', { id: messageRef, name });
  insertIndented(element, createBpmn(element, 'messageEventDefinition', { messageRef }), null);
}
