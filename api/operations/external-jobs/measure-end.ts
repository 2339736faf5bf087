import type { EndSubmitted, Requeued } from '../../../store/job-ends.js';
import type { ApiContext } from '../../context.js';

/** Counts the end that a worker has reported. */
export function measureEnd({ metrics }: ApiContext, reported: EndSubmitted | Requeued, end: 'completed' | 'failed'): void {
  if (reported.kind === 'requeued') metrics.jobsRequeued.inc();
  else if (reported.workedSeconds !== undefined) metrics.jobWorkSeconds.observe({ end }, reported.workedSeconds);
}
