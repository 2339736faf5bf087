/**
 * The workflow behind the Nexus operation `runProcess`: it waits until the instance has ended, and its result is that of
 * the operation. While it waits, it costs one look per day.
 */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Variables } from '@perdure/engine/contract/json.js';
import { RUN_ENDED, type EndOfRun, type RunActivities, type RunToAwait } from './run-messages.js';

/** Until a worker lives that can read Postgres. */
const { lookAtRun, cancelRun } = proxyActivities<RunActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

const endedSignal = defineSignal(RUN_ENDED);
/** Finds an end that nothing reported, such as that of an erased instance. */
const LOOK_EVERY = '1 day';

/** Events since the last look. */
interface News {
  hasEnded: boolean;
  isCanceled: boolean;
}

export async function perdureRun(run: RunToAwait): Promise<Variables> {
  const news: News = { hasEnded: false, isCanceled: false };
  setHandler(endedSignal, () => void (news.hasEnded = true));
  CancellationScope.current().cancelRequested.catch(() => void (news.isCanceled = true));
  const end = await CancellationScope.nonCancellable(() => untilEnd(run, news));
  if (end.kind === 'completed') return end.variables;
  throw failureOf(run, end);
}

async function untilEnd(run: RunToAwait, news: News): Promise<EndOfRun> {
  let isCanceling = false;
  for (;;) {
    news.hasEnded = false;
    const end = await lookAtRun(run);
    if (end !== null) return end;
    await condition(() => news.hasEnded || (news.isCanceled && !isCanceling), LOOK_EVERY);
    if (!news.isCanceled || isCanceling) continue;
    isCanceling = true;
    await cancelRun(run);
  }
}

function failureOf({ workflowID }: RunToAwait, end: Exclude<EndOfRun, { kind: 'completed' }>): ApplicationFailure {
  const failure = (type: string, message: string) => ApplicationFailure.nonRetryable(message, type, { workflowID });
  switch (end.kind) {
    case 'failed':
      return failure('INSTANCE_FAILED', `Instance ${workflowID} failed: ${end.reason}`);
    case 'canceled':
      return failure('INSTANCE_CANCELED', `Instance ${workflowID} was canceled`);
    case 'gone':
      return failure('INSTANCE_GONE', `Instance ${workflowID} was removed before its end was reported`);
  }
}
