/**
 * Service tasks: BPMN 2.0.2 section 10.3.3. Each is an external job that a job worker leases, then completes or fails.
 */
import { complete } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { compileJob, createJob, type JobDefinition } from '../behaviors/waiting/jobs.js';
import type { ActivityBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface ServiceTaskNode extends ActivityBase {
  kind: 'serviceTask';
  job: JobDefinition;
}

export const serviceTask: ElementBehavior<ServiceTaskNode> = {
  isActivity: true,
  compile: (source, compiler) => ({ job: compileJob(source, compiler) }),
  enter(run, element, node) {
    const created = createJob(run, element, node.job);
    if (!created.ok) fail(run, element, created.failure);
  },
  resume: (run, element, _node, _wait, payload) => complete(run, element, payload),
};
