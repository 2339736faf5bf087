/**
 * bpmn-moddle with a custom meta-model, derived from the one it ships.
 *
 * With its own meta-model it would drop the second of two elements with one id, treat the id `constructor` as a
 * duplicate, reject ids that are not ASCII, and read `isExecutable="1"` as false. Therefore `document.ts` resolves ids
 * and references, and attributes stay text.
 */
import { BpmnModdle } from 'bpmn-moddle';
import type { Package, Property } from '../shipped/package.js';
import { shippedPackage } from '@perdure/bpmn/shipped/packages.js';

/** Prefixes of the packages, whatever a file calls their namespaces. */
export const PACKAGES: readonly string[] = ['bpmn', 'bpmndi', 'dc', 'di'];

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

function asText(shipped: Package): Package {
  return {
    ...shipped,
    types: shipped.types.map((type) => ({
      ...type,
      properties: withMissing(type.name, type.properties ?? []).map(propertyAsText),
    })),
  };
}

/** Child elements of the XML schema of BPMN 2.0.2 that the shipped meta-model lacks, or has only as attributes. */
const MISSING: { readonly [type: string]: readonly Property[] } = {
  ConversationNode: [{ name: 'messageFlowRef', type: 'MessageFlow', isMany: true, isReference: true }],
  Extension: [{ name: 'documentation', type: 'Documentation', isMany: true }],
  GlobalScriptTask: [{ name: 'script', type: 'String' }],
  Participant: [{ name: 'endPointRef', type: 'EndPoint', isMany: true, isReference: true }],
  ParticipantAssociation: [
    { name: 'innerParticipantRef', type: 'Participant', isReference: true },
    { name: 'outerParticipantRef', type: 'Participant', isReference: true },
  ],
};

function withMissing(type: string, shipped: readonly Property[]): Property[] {
  const missing = (Object.hasOwn(MISSING, type) && MISSING[type]) || [];
  return [...shipped.filter(({ name }) => missing.every((property) => property.name !== name)), ...missing];
}

function propertyAsText({ isId: _isId, default: _default, ...property }: Property): Property {
  return property.isAttr && !property.isReference ? { ...property, type: 'String' } : property;
}
