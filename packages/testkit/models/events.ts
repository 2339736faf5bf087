/** Events. What they react to or throw is their definition, one of `on`; without one they are none events. */
import { extensionsOf, type ExtensionOptions } from './extensions.js';
import { element, joined, type Xml } from './xml.js';

export interface EventOptions extends ExtensionOptions {
  readonly name?: string;
}

export interface CatchEventOptions extends EventOptions {
  /** Whether all of several definitions must occur. */
  readonly parallelMultiple?: boolean;
}

export interface InterruptingOptions extends CatchEventOptions {
  /** Whether the event ends the activity or scope that it belongs to (default true). */
  readonly interrupting?: boolean;
}

export function startEvent(id: string, definitions: Xml = '', options: InterruptingOptions = {}): string {
  const { name, parallelMultiple, interrupting: isInterrupting } = options;
  return event('startEvent', { id, name, isInterrupting, parallelMultiple }, definitions, options);
}

/** An intermediate catch event. */
export function catchEvent(id: string, definitions: Xml, options: CatchEventOptions = {}): string {
  const { name, parallelMultiple } = options;
  return event('intermediateCatchEvent', { id, name, parallelMultiple }, definitions, options);
}

/** An intermediate throw event. */
export function throwEvent(id: string, definitions: Xml = '', options: EventOptions = {}): string {
  return event('intermediateThrowEvent', { id, name: options.name }, definitions, options);
}

export function endEvent(id: string, definitions: Xml = '', options: EventOptions = {}): string {
  return event('endEvent', { id, name: options.name }, definitions, options);
}

/** @param activity id of the activity to which the event is attached */
export function boundaryEvent(
  id: string,
  activity: string,
  definitions: Xml,
  options: InterruptingOptions = {},
): string {
  const { name, parallelMultiple, interrupting: cancelActivity } = options;
  const attributes = { id, name, attachedToRef: activity, cancelActivity, parallelMultiple };
  return event('boundaryEvent', attributes, definitions, options);
}

function event(
  kind: string,
  attributes: { readonly [name: string]: string | boolean | undefined },
  definitions: Xml,
  options: EventOptions,
): string {
  return element(kind, attributes, [extensionsOf(options), joined(definitions)]);
}
