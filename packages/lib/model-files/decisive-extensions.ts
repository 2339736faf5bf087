/**
 * Extensions of other engines that decide whether, when, or with which data work is done. A process without them would do
 * something else, so they are refused. They count only in the namespace of an engine: tools use the same names for notes.
 */

interface DecisiveExtension {
  readonly instead: string;
  /** Types of the elements at which it decides something. All if absent. */
  readonly at?: RegExp;
  /** Values that mean what happens here anyway. */
  readonly harmless?: readonly string[];
}

const OWN_CODE = 'job workers perform external work (taskDefinition)';

/** By local name. */
const ATTRIBUTES: ReadonlyMap<string, DecisiveExtension> = new Map<string, DecisiveExtension>([
  ['skipExpression', { instead: 'put an exclusive gateway before the element' }],
  ['endDate', { instead: 'limit the repetitions (R10/PT1H), or end them with a timer event' }],
  ['businessCalendarName', { instead: 'compute the time in FEEL', harmless: ['cycle', 'duration', 'dueDate'] }],
  ['scope', { instead: 'a signal reaches all instances; use a message', at: /^signal$/, harmless: ['global'] }],
  ['calledElementType', { instead: 'name the called process by its id (calledElement)', harmless: ['key'] }],
  [
    'waitForCompletion',
    {
      instead: 'a call activity waits; start the process with a message instead',
      at: /^callActivity$/,
      harmless: ['true'],
    },
  ],
  ['variableMappingClass', { instead: 'use ioMapping to map variables' }],
  ['variableMappingDelegateExpression', { instead: 'use ioMapping to map variables' }],
  ['formHandlerClass', { instead: OWN_CODE }],
]);

/** By local name. */
const ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['onEntry-script', 'use a separate task before the element'],
  ['onExit-script', 'use a separate task after the element'],
  ['variableAggregation', 'collect results with outputCollection and outputElement (loopCharacteristics)'],
  ['eventType', 'use a message event, and publish the message where the event came from'],
]);

/** The replacement of an attribute of another engine; undefined if it decides nothing. */
export function insteadOfAttribute(elementType: string, name: string, text: string): string | undefined {
  const decisive = ATTRIBUTES.get(name);
  if (decisive === undefined || decisive.harmless?.includes(text.trim())) return undefined;
  return decisive.at === undefined || decisive.at.test(elementType) ? decisive.instead : undefined;
}

/** The replacement of an extension element of another engine; undefined if it decides nothing. */
export function insteadOfElement(name: string): string | undefined {
  return ELEMENTS.get(name);
}
