import { element, joined, tag, type Xml } from './xml.js';

/** FEEL expressions by the name of the variable that each sets: `{ total: '=price * count' }`. */
export interface Mappings {
  readonly [target: string]: string;
}

/** Job types of execution listeners, in the order in which they run. */
export interface Listeners {
  readonly start?: readonly string[];
  readonly end?: readonly string[];
}

export interface ExtensionOptions {
  readonly inputs?: Mappings;
  readonly outputs?: Mappings;
  /** Task headers by key. */
  readonly headers?: { readonly [key: string]: string };
  readonly listeners?: Listeners;
  /** Further extension elements. */
  readonly extensions?: Xml;
}

/** The element `extensionElements` around what is given; nothing around nothing. */
export function extensions(content: Xml): string {
  const inner = joined(content);
  return inner === '' ? '' : element('extensionElements', {}, inner);
}

/** @param own extension elements that the kind of element has itself */
export function extensionsOf(
  { inputs, outputs, headers, listeners, extensions: further = '' }: ExtensionOptions,
  own: Xml = '',
) {
  return extensions([own, ioMapping(inputs, outputs), taskHeaders(headers), executionListeners(listeners), further]);
}

function ioMapping(inputs: Mappings = {}, outputs: Mappings = {}): string {
  const lines = [
    ...Object.entries(inputs).map(([target, source]) => tag('zeebe:input', { source, target })),
    ...Object.entries(outputs).map(([target, source]) => tag('zeebe:output', { source, target })),
  ];
  return lines.length === 0 ? '' : tag('zeebe:ioMapping', {}, lines);
}

function taskHeaders(headers: { readonly [key: string]: string } = {}): string {
  const lines = Object.entries(headers).map(([key, value]) => tag('zeebe:header', { key, value }));
  return lines.length === 0 ? '' : tag('zeebe:taskHeaders', {}, lines);
}

/** For the `extensions` of an element or a process without an option `listeners`. */
export function executionListeners({ start = [], end = [] }: Listeners = {}): string {
  const lines = [
    ...start.map((type) => tag('zeebe:executionListener', { eventType: 'start', type })),
    ...end.map((type) => tag('zeebe:executionListener', { eventType: 'end', type })),
  ];
  return lines.length === 0 ? '' : tag('zeebe:executionListeners', {}, lines);
}

/** Job types of task listeners by event, for the `extensions` of a user task. */
export function taskListeners(listeners: { readonly [eventType: string]: readonly string[] }): string {
  const lines = Object.entries(listeners).flatMap(([eventType, types]) =>
    types.map((type) => tag('zeebe:taskListener', { eventType, type })),
  );
  return tag('zeebe:taskListeners', {}, lines);
}
