/** Variables of the workflow worker, and limits of instances. */
import { duration, oneOf, wholeNumber } from '@perdure/configuration/kinds.js';
import { formatDuration } from '@perdure/lib/duration.js';
import type { Role, ValuesOf } from '@perdure/configuration/variable.js';
import { variable } from '@perdure/configuration/variable.js';
import type { HotInstances } from '../../hot-instances/places.js';

const roles: readonly Role[] = ['worker'];

export const workerSection = {
  title: 'Workflow worker',
  variables: {
    // With fewer than 200, the worker also runs no more workflow tasks at once than this; `hot-instances/places.ts`
    // counts with that.
    WORKER_MAX_CACHED_INSTANCES: variable({
      kind: wholeNumber(100, 1_000_000),
      roles,
      defaultInWords: 'by heap size: 2,300 with 4 GB',
      description:
        'Instances kept in memory. Others are replayed when work arrives for them ([scale ' +
        'out](operations/runbook.md#scale-out)).',
    }),
    HOT_INSTANCES: variable({
      kind: oneOf(['on', 'off']),
      default: 'on',
      roles,
      description:
        '`off`: each wait for a job ends the workflow task ([hot instances](operations/runbook.md#hot-instances)).',
    }),
    // A local activity has five seconds, and a workflow task that lasts longer than eight is renewed.
    HOT_INSTANCES_LINGER_MS: variable({
      kind: wholeNumber(10, 2_000),
      default: '1000',
      roles,
      description: 'Longest wait of a step commit for the next result, in milliseconds.',
    }),
    HOT_INSTANCES_SLOT_PERCENT: variable({
      kind: wholeNumber(1, 90),
      default: '30',
      roles,
      description:
        "Share of the worker's workflow task slots that can wait for results at once, in percent. A " +
        'worker has 200 slots, or as many as instances in memory if those are fewer.',
    }),
    ENGINE_CAN_MAX_ROTATIONS: variable({
      kind: wholeNumber(1, 1_000_000),
      default: '10000',
      description: 'Rotations (Temporal: continue-as-new) before an instance stops with an incident.',
    }),
    HISTORY_RETENTION: variable({
      kind: duration('1m', '36600d', 'a duration from one minute to 100 years, such as 90d or P90D'),
      roles,
      defaultInWords: 'kept indefinitely',
      description:
        'How long ended instances and decision evaluations are kept if their project sets nothing ' +
        '([retention](retention.md)).',
    }),
    AUDIT_RETENTION: variable({
      kind: duration('1m', '36600d', 'a duration from one minute to 100 years, such as 90d or P90D'),
      roles,
      defaultInWords: 'kept indefinitely',
      description:
        'How long entries of the [audit log](audit.md) are kept if their project sets nothing. At least ' +
        '`AUDIT_RETENTION_MINIMUM`.',
    }),
    AUDIT_RETENTION_MINIMUM: variable({
      kind: duration('1m', '36600d', 'a duration from one minute to 100 years, such as 90d or P90D'),
      default: 'P90D',
      roles: ['api', 'worker'],
      description: 'The shortest `auditRetention` that a project can have. No entry is deleted before.',
    }),
  },
};

type Values = ValuesOf<(typeof workerSection)['variables']>;

/** Evidence is the operator's, so a shorter default is a mistake rather than an exception. */
export function problemsOfRetention({
  AUDIT_RETENTION: ofHost,
  AUDIT_RETENTION_MINIMUM: least,
}: Partial<Values>): string[] {
  if (ofHost === undefined || least === undefined || ofHost >= least) return [];
  return [
    `AUDIT_RETENTION must be at least AUDIT_RETENTION_MINIMUM, ${formatDuration(least)}, but is ${formatDuration(ofHost)}. Raise the one or lower the other.`,
  ];
}

export function toHotInstances(values: Values): HotInstances | undefined {
  if (values.HOT_INSTANCES === 'off') return undefined;
  return { maxMs: values.HOT_INSTANCES_LINGER_MS, slotShare: values.HOT_INSTANCES_SLOT_PERCENT / 100 };
}
