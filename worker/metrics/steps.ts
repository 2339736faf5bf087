/** The activity of instances, counted from the facts of the step commits that this process writes. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { MeasuredCommit } from '../../activities/index.js';
import type { Fact } from '@perdure/engine/contract/facts.js';

/** Adds the metrics and returns the function to call after every step commit. */
export function addStepMetrics(registry: Registry): (written: MeasuredCommit) => void {
  const metrics = createStepMetrics(registry);
  return ({ commit: { facts, measured }, answer, seconds }) => {
    metrics.commitSeconds.observe({ result: answer }, seconds);
    // Only accepted commits add facts: an adopted one was already counted by the process that wrote it.
    if (answer !== 'accepted') return;
    for (const fact of facts) countFact(metrics, fact);
    if (measured?.rotationReason !== undefined && facts.some(({ kind }) => kind === 'INSTANCE_ROTATED'))
      metrics.rotations.inc({ reason: measured.rotationReason });
    if (measured?.timerLatenessMs !== undefined) metrics.lateness.observe(measured.timerLatenessMs / 1000);
  };
}

type StepMetrics = ReturnType<typeof createStepMetrics>;

function createStepMetrics(registry: Registry) {
  const registers = [registry];
  return {
    commitSeconds: new Histogram({
      name: 'perdure_step_commit_seconds',
      help:
        'Duration of a step commit, by the result from the store. adopt: a worker died between the commit and the ' +
        'end of its workflow task, and the step was replayed. withdrawn: another request was faster than the job ' +
        'result that the commit was to write.',
      labelNames: ['result'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    activated: new Counter({
      name: 'perdure_elements_activated_total',
      help: 'Activations of nodes, a measure of throughput.',
      registers,
    }),
    instances: new Counter({
      name: 'perdure_instances_total',
      help: 'Started and ended instances.',
      labelNames: ['event'],
      registers,
    }),
    raised: new Counter({
      name: 'perdure_incidents_raised_total',
      help: 'Incidents, by type.',
      labelNames: ['type'],
      registers,
    }),
    resolved: new Counter({
      name: 'perdure_incidents_resolved_total',
      help: 'Incidents resolved by a person or a client.',
      registers,
    }),
    created: new Counter({ name: 'perdure_jobs_created_total', help: 'Jobs created for job workers.', registers }),
    rotations: new Counter({
      name: 'perdure_rotations_total',
      help: 'Instances that rotated into a new run, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    lateness: new Histogram({
      name: 'perdure_timer_lateness_seconds',
      help: 'Delay between the due time and the firing of the first timer of a step, without timers of paused instances.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
      registers,
    }),
  };
}

function countFact(metrics: StepMetrics, fact: Fact): void {
  switch (fact.kind) {
    case 'ELEMENT_ACTIVATED':
      return metrics.activated.inc();
    case 'INSTANCE_STARTED':
      return metrics.instances.inc({ event: 'started' });
    case 'INSTANCE_COMPLETED':
      return metrics.instances.inc({ event: 'completed' });
    case 'INSTANCE_CANCELED':
      return metrics.instances.inc({ event: 'canceled' });
    case 'INSTANCE_FAILED':
      return metrics.instances.inc({ event: 'failed' });
    case 'INCIDENT_RAISED':
      return metrics.raised.inc({ type: fact.errorType });
    case 'INCIDENT_RESOLVED':
      return metrics.resolved.inc();
    case 'JOB_CREATED':
      return metrics.created.inc();
    default:
  }
}
