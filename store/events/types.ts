/** The events of the feed, without the prefix `perdure.`. */
export const eventTypes = [
  'instance.started',
  'instance.imported',
  'instance.completed',
  'instance.failed',
  'instance.canceled',
  'instance.suspended',
  'instance.resumed',
  'instance.migrated',
  'incident.raised',
  'incident.resolved',
  'task.created',
  'task.assigned',
  'task.completed',
  'task.failed',
  'task.canceled',
  'task.overdue',
  'definition.deployed',
  'definition.suspended',
  'definition.resumed',
  'target.missed',
  'batch.completed',
] as const;

export type EventType = (typeof eventTypes)[number];
