import { EmptyState } from '../../../../components/feedback/states.js';
import type { InstanceState } from '../../instance-query.js';

/** Replaces a history that has no activation. */
export function NoHistory({ instance: { queued } }: { instance: InstanceState }) {
  return (
    <EmptyState title="No history yet">
      {queued
        ? 'The instance is queued. It starts when another instance of its process ends.'
        : 'The instance was accepted and starts when a workflow worker takes it.'}
    </EmptyState>
  );
}
