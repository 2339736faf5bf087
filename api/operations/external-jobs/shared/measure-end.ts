import type { EndSubmitted, Requeued } from '../../../../store/work/job-ends.js';
import type { ApiContext } from '../../../context.js';

/** Records metrics for a job end that a job worker reported. */
export function measureEnd(
  { metrics }: ApiContext,
  reported: Pick<EndSubmitted, 'workedSeconds'> | Requeued,
  end: 'completed' | 'failed',
): void {
  if ('retries' in reported) metrics.jobsRequeued.inc();
  else if (reported.workedSeconds !== undefined) metrics.jobWorkSeconds.observe({ end }, reported.workedSeconds);
}
