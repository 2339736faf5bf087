/**
 * bpmn-moddle with a meta-model of our own making, derived from the one it ships.
 *
 * Left to itself it would drop the second of two elements with one id, take the id `constructor` for a duplicate,
 * refuse ids that are not ASCII, and read `isExecutable="1"` as false. So ids and references are ours
 * (`document.ts`) and attributes stay the text they are.
 */
import { createRequire } from 'node:module';
import { BpmnModdle } from 'bpmn-moddle';

interface Property {
  name: string;
  type: string;
  isAttr?: boolean;
  isId?: boolean;
  isReference?: boolean;
  default?: unknown;
}
interface Package {
  types: { name: string; properties?: Property[] }[];
}

const require = createRequire(import.meta.url);
const PACKAGES = ['bpmn', 'bpmndi', 'dc', 'di'];

/** A parser for BPMN 2.0 files. */
export function newModdle(): BpmnModdle {
  return new BpmnModdle(Object.fromEntries(PACKAGES.map((name) => [name, asText(shippedPackage(name))])));
}

/** Names of the attributes that BPMN has as `xsd:boolean`; none of them means something else anywhere. */
export const booleanAttributes: readonly string[] = [
  ...new Set(shippedPackage('bpmn').types.flatMap(({ properties = [] }) => properties.filter(({ type, isAttr }) => isAttr && type === 'Boolean').map(({ name }) => name))),
];

function shippedPackage(name: string): Package {
  return require(`bpmn-moddle/resources/bpmn/json/${name}.json`) as Package;
}

function asText(shipped: Package): Package {
  return {
    ...shipped,
    types: shipped.types.map((type) => ({ ...type, properties: type.properties?.map(propertyAsText) })),
  };
}

function propertyAsText({ isId: _isId, default: _default, ...property }: Property): Property {
  return property.isAttr && !property.isReference ? { ...property, type: 'String' } : property;
}
