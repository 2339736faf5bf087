/** Opens and saves a DMN file as the editor of decisions does, without a browser. */
import { createRequire } from 'node:module';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { readableText } from '@perdure/xml/readable-text.js';
import { lostContent } from '../../../console/features/modeler/dmn/lost-content.js';
import { toEditable } from '../../../console/features/modeler/dmn/versions.js';
import { keptContent, putBack, type XmlDocument } from '../../../console/features/modeler/kept-content.js';

interface Moddle {
  fromXML(xml: string, type: string): Promise<{ rootElement: unknown }>;
  toXML(element: unknown, options: object): Promise<{ xml: string }>;
}

const require = createRequire(import.meta.url);
const shared = createRequire(createRequire(require.resolve('dmn-js')).resolve('dmn-js-shared/lib/base/Manager.js'));

const parse = (xml: string) => new DOMParser().parseFromString(xml, 'application/xml') as unknown as XmlDocument;

/** @returns what the editor shows and saves, and what it would lose, for which it does not open the file */
export async function decisionsOpenedAndSaved(text: string): Promise<{ shown: string; saved: string; lost: string[] }> {
  const { DmnModdle } = (await import(shared.resolve('dmn-moddle'))) as { DmnModdle: new () => Moddle };
  const moddle = new DmnModdle();
  const { xml, restore } = toEditable(text);
  const { rootElement } = await moddle.fromXML(readableText(xml), 'dmn:Definitions');
  const file = parse(xml);
  const shown = (await moddle.toXML(rootElement, { format: true })).xml;
  const written = parse(shown);
  putBack(written, keptContent(file, written));
  return {
    shown,
    saved: restore(new XMLSerializer().serializeToString(written as never)),
    lost: lostContent(file, written),
  };
}
