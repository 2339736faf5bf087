/** Opens and saves a DMN file as the editor of decisions does, without a browser. */
import { createRequire } from 'node:module';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
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

/** @returns what is saved, and what the editor would lose, for which it does not open the file */
export async function decisionsOpenedAndSaved(text: string): Promise<{ saved: string; lost: string[] }> {
  const { DmnModdle } = (await import(shared.resolve('dmn-moddle'))) as { DmnModdle: new () => Moddle };
  const moddle = new DmnModdle();
  const { xml, restore } = toEditable(text);
  const { rootElement } = await moddle.fromXML(xml, 'dmn:Definitions');
  const file = parse(xml);
  const written = parse((await moddle.toXML(rootElement, { format: true })).xml);
  putBack(written, keptContent(file, written));
  return {
    saved: restore(new XMLSerializer().serializeToString(written as never)),
    lost: lostContent(file, written),
  };
}
