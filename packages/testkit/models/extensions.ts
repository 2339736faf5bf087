import { element, joined, tag, type Xml } from './xml.js';

/** FEEL expressions by the name of the variable that each sets: `{ total: '=price * count' }`. */
export interface Mappings {
  readonly [target: string]: string;
}

export interface ExtensionOptions {
  readonly inputs?: Mappings;
  readonly outputs?: Mappings;
  /** Task headers by key. */
  readonly headers?: { readonly [key: string]: string };
  /** Further extension elements. */
  readonly extensions?: Xml;
}

/** The element `extensionElements` around what is given; nothing around nothing. */
export function extensions(content: Xml): string {
  const inner = joined(content);
  return inner === '' ? '' : element('extensionElements', {}, inner);
}

/** @param own extension elements that the kind of element has itself */
export function extensionsOf({ inputs, outputs, headers, extensions: further = '' }: ExtensionOptions, own: Xml = '') {
  return extensions([own, ioMapping(inputs, outputs), taskHeaders(headers), further]);
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
