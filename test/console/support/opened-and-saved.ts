/** Opens and saves a file as the modeler does, without a browser. */
import { createRequire } from 'node:module';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { BpmnModdle } from 'bpmn-moddle';
import { readableText } from '@perdure/xml/readable-text.js';
import { keptContent, putBack, type XmlDocument } from '../../../console/features/modeler/kept-content.js';
import { perdureModdle } from '../../../console/features/modeler/perdure-moddle.js';

interface Writer {
  toXML(element: unknown, options: object): Promise<{ xml: string }>;
}

const require = createRequire(import.meta.url);
/** The descriptor that the modeler of the console uses. */
const zeebe: unknown = createRequire(require.resolve('camunda-bpmn-js'))('zeebe-bpmn-moddle/resources/zeebe.json');

/** As bpmn-moddle writes it: everything that its meta-models describe. */
export async function written(xml: string): Promise<string> {
  const moddle = new BpmnModdle({ zeebe, perdure: perdureModdle });
  const { rootElement } = await moddle.fromXML(readableText(xml));
  return (await (moddle as unknown as Writer).toXML(rootElement, { format: true })).xml;
}

const parse = (xml: string) => new DOMParser().parseFromString(xml, 'application/xml') as unknown as XmlDocument;

/** @param edit of the text, instead of one of the diagram */
export async function openedAndSaved(xml: string, edit: (text: string) => string = (text) => text): Promise<string> {
  const kept = keptContent(parse(xml), parse(await written(xml)));
  const document = parse(await written(edit(xml)));
  putBack(document, kept);
  return new XMLSerializer().serializeToString(document as never);
}

export async function keptOf(xml: string): Promise<number> {
  return keptContent(parse(xml), parse(await written(xml))).length;
}
