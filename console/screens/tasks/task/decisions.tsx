/** Requests for a task that its listeners decide about, or have denied. */
import { Banner } from '../../../components/feedback/banner.js';
import { Badge } from '../../../components/values/badge.js';
import { Time } from '../../../components/values/time.js';
import type { Task } from './task-query.js';

const requests: Readonly<Record<NonNullable<Task['listening']>, string>> = {
  creating: 'creation',
  assigning: 'assignment',
  updating: 'update',
  completing: 'completion',
  canceling: 'cancellation',
};

/** Until listeners have decided, no other request is accepted. */
export function Decisions({ task: { listening, denied } }: { task: Task }) {
  if (listening !== undefined)
    return (
      <Banner tone="blue" icon="pause" title={`The ${requests[listening]} of this task waits for a listener.`}>
        The task takes no other request until the listener has decided.
      </Banner>
    );
  if (denied === undefined) return null;
  return (
    <Banner tone="red" icon="ban" title={`A listener denied the ${requests[denied.eventType]} of this task.`}>
      {denied.reason ?? 'It gave no reason.'} (<Time value={denied.at} />)
    </Banner>
  );
}

/** The same in a list. */
export function DecisionBadge({ task: { listening, denied } }: { task: Task }) {
  if (listening !== undefined)
    return (
      <Badge tone="blue" icon="pause">
        Waits for a listener
      </Badge>
    );
  if (denied === undefined) return null;
  return (
    <Badge tone="red" icon="ban" {...(denied.reason !== undefined && { title: denied.reason })}>
      {requests[denied.eventType]} denied
    </Badge>
  );
}
