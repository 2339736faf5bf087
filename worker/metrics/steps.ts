/** The activity of instances, counted from the facts of the step commits that this process writes. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { MeasuredCommit } from '../../activities/index.js';
import type { Fact } from '@perdure/engine/contract/facts.js';

/** Adds the metrics and returns the function to call after every step commit. */
export function addStepMetrics(registry: Registry): (written: MeasuredCommit) => void {
  const registers = [registry];
  const commitSeconds = new Histogram({
    name: 'perdure_step_commit_seconds',
    help: 'Duration of a step commit, by the result from the store. adopt: a worker died between the commit and the end of its workflow task, and the step was replayed. withdrawn: another request was faster than the job result that the commit was to write.',
    labelNames: ['result'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const activated = new Counter({
    name: 'perdure_elements_activated_total',
    help: 'Activations of nodes, a measure of throughput.',
    registers,
  });
  const instances = new Counter({
    name: 'perdure_instances_total',
    help: 'Started and ended instances.',
    labelNames: ['event'],
    registers,
  });
  const raised = new Counter({
    name: 'perdure_incidents_raised_total',
    help: 'Incidents, by type.',
    labelNames: ['type'],
    registers,
  });
  const resolved = new Counter({
    name: 'perdure_incidents_resolved_total',
    help: 'Incidents resolved by a person or a client.',
    registers,
  });
  const created = new Counter({ name: 'perdure_jobs_created_total', help: 'Jobs created for job workers.', registers });
  const rotations = new Counter({
    name: 'perdure_rotations_total',
    help: 'Instances that rotated into a new run, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const lateness = new Histogram({
    name: 'perdure_timer_lateness_seconds',
    help: 'Delay between the due time and the firing of the first timer of a step, without timers of paused instances.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
    registers,
  });

  const count = (fact: Fact): void => {
    switch (fact.kind) {
      case 'ELEMENT_ACTIVATED':
        return activated.inc();
      case 'INSTANCE_STARTED':
        return instances.inc({ event: 'started' });
      case 'INSTANCE_COMPLETED':
        return instances.inc({ event: 'completed' });
      case 'INSTANCE_CANCELED':
        return instances.inc({ event: 'canceled' });
      case 'INSTANCE_FAILED':
        return instances.inc({ event: 'failed' });
      case 'INCIDENT_RAISED':
        return raised.inc({ type: fact.errorType });
      case 'INCIDENT_RESOLVED':
        return resolved.inc();
      case 'JOB_CREATED':
        return created.inc();
      default:
    }
  };

  return ({ commit: { facts, measured }, answer, seconds }) => {
    commitSeconds.observe({ result: answer }, seconds);
    // Only accepted commits add facts: an adopted one was already counted by the process that wrote it.
    if (answer !== 'accepted') return;
    for (const fact of facts) count(fact);
    if (measured?.rotationReason !== undefined && facts.some(({ kind }) => kind === 'INSTANCE_ROTATED'))
      rotations.inc({ reason: measured.rotationReason });
    if (measured?.timerLatenessMs !== undefined) lateness.observe(measured.timerLatenessMs / 1000);
  };
}
