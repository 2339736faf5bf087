/** What instances do, counted from the facts of the parks that this process writes. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { WrittenPark } from '../../activities/index.js';
import type { Fact } from '../../engine/facts.js';

/** Adds the metrics; answers the function that is to be told of every park. */
export function addParkMetrics(registry: Registry): (written: WrittenPark) => void {
  const registers = [registry];
  const parkSeconds = new Histogram({
    name: 'perdure_park_seconds',
    help: 'Time to write what happened in one step, by the answer of the store.',
    labelNames: ['answer'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const activated = new Counter({ name: 'perdure_elements_activated_total', help: 'Activations of nodes: how much moves.', registers });
  const instances = new Counter({ name: 'perdure_instances_total', help: 'Instances that have started or ended.', labelNames: ['event'], registers });
  const raised = new Counter({ name: 'perdure_incidents_raised_total', help: 'Incidents, by type.', labelNames: ['type'], registers });
  const resolved = new Counter({ name: 'perdure_incidents_resolved_total', help: 'Incidents that somebody has resolved.', registers });
  const created = new Counter({ name: 'perdure_jobs_created_total', help: 'Jobs for workers.', registers });
  const rotations = new Counter({ name: 'perdure_rotations_total', help: 'Instances that went on in a new run, by reason.', labelNames: ['reason'], registers });
  const lateness = new Histogram({
    name: 'perdure_timer_lateness_seconds',
    help: 'How long after it was due the first timer of a step fired; timers of instances that were paused are left out.',
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

  return ({ park: { facts, measured }, answer, seconds }) => {
    parkSeconds.observe({ answer }, seconds);
    // What was written before, or is not written, is counted where it is.
    if (answer !== 'accepted') return;
    for (const fact of facts) count(fact);
    if (measured?.rotationReason !== undefined && facts.some(({ kind }) => kind === 'INSTANCE_ROTATED')) rotations.inc({ reason: measured.rotationReason });
    if (measured?.timerLatenessMs !== undefined) lateness.observe(measured.timerLatenessMs / 1000);
  };
}
