/**
 * bpmn-moddle with a custom meta-model, derived from the one it ships.
 *
 * With its own meta-model it would drop the second of two elements with one id, treat the id `constructor` as a
 * duplicate, reject ids that are not ASCII, and read `isExecutable="1"` as false. Therefore `document.ts` resolves ids
 * and references, and attributes stay text.
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

/** Names of the attributes that BPMN defines as `xsd:boolean`; none of them has another type anywhere else. */
export const booleanAttributes: readonly string[] = [
  ...new Set(
    shippedPackage('bpmn').types.flatMap(({ properties = [] }) =>
      properties.filter(({ type, isAttr }) => isAttr && type === 'Boolean').map(({ name }) => name),
    ),
  ),
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
