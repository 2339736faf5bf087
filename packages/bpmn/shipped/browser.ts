/**
 * `packages.ts` for browsers: a bundler includes the files. Node.js before 22 warns about such imports. The
 * condition `browser` in package.json selects this file.
 */
import bpmn from 'bpmn-moddle/resources/bpmn/json/bpmn.json' with { type: 'json' };
import bpmndi from 'bpmn-moddle/resources/bpmn/json/bpmndi.json' with { type: 'json' };
import dc from 'bpmn-moddle/resources/bpmn/json/dc.json' with { type: 'json' };
import di from 'bpmn-moddle/resources/bpmn/json/di.json' with { type: 'json' };
import type { Package } from './package.js';

const shipped: { readonly [name: string]: unknown } = { bpmn, bpmndi, dc, di };

export function shippedPackage(name: string): Package {
  return shipped[name] as Package;
}
