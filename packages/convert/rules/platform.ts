/** The platform that a file is made for. */
import type { Context } from '../context.js';
import { MODELER } from '@perdure/lib/model-files/namespaces.js';
import { bpmnChildren, engineAttribute, prefixOf, takeAttribute, zeebeExtension } from '../xml/edit.js';

/** The dialect that Camunda Modeler opens the file with. */
const PLATFORM = { executionPlatform: 'Camunda Cloud', executionPlatformVersion: '8.6.0' };

export function platform({ root }: Context): void {
  const prefix = prefixOf(root, MODELER, 'modeler');
  for (const [name, value] of Object.entries(PLATFORM)) root.setAttributeNS(MODELER, `${prefix}:${name}`, value);
  for (const process of bpmnChildren(root, 'process')) {
    // Activiti and Flowable run a process unless it says otherwise; BPMN does not.
    if (!process.hasAttribute('isExecutable')) process.setAttribute('isExecutable', 'true');
    const tag = engineAttribute(process, 'versionTag');
    if (tag === undefined) continue;
    takeAttribute(process, 'versionTag');
    zeebeExtension(process, 'versionTag').setAttribute('value', tag);
  }
}
