/** The events that can be delivered, in the groups of the dialog. */
import type { Schemas } from '../../frame/api/client.js';

export type EventType = Schemas['EventSubscription']['types'][number];

export const eventGroups = [
  {
    label: 'Instances',
    events: {
      'perdure.instance.started': 'Started',
      'perdure.instance.imported': 'Imported',
      'perdure.instance.completed': 'Completed',
      'perdure.instance.failed': 'Failed',
      'perdure.instance.canceled': 'Canceled',
      'perdure.instance.suspended': 'Suspended',
      'perdure.instance.resumed': 'Resumed',
      'perdure.instance.migrated': 'Migrated',
    },
  },
  {
    label: 'User tasks',
    events: {
      'perdure.task.created': 'Created',
      'perdure.task.assigned': 'Assigned',
      'perdure.task.completed': 'Completed',
      'perdure.task.failed': 'Failed',
      'perdure.task.canceled': 'Canceled',
      'perdure.task.overdue': 'Overdue',
    },
  },
  {
    label: 'Incidents',
    events: { 'perdure.incident.raised': 'Raised', 'perdure.incident.resolved': 'Resolved' },
  },
  {
    label: 'Process versions',
    events: {
      'perdure.definition.deployed': 'Deployed',
      'perdure.definition.suspended': 'Suspended',
      'perdure.definition.resumed': 'Resumed',
    },
  },
  {
    label: 'Targets and batches',
    events: { 'perdure.target.missed': 'Target missed', 'perdure.batch.completed': 'Batch completed' },
  },
] as const satisfies readonly { label: string; events: { readonly [type in EventType]?: string } }[];

type KeysOfEach<Group> = Group extends { events: infer Events } ? keyof Events : never;
type Listed = KeysOfEach<(typeof eventGroups)[number]>;

/** Fails to compile if the API has an event that no group lists. */
export const allAreListed: [Exclude<EventType, Listed>] extends [never] ? true : false = true;

/** `incident.raised` */
export function shortType(type: string): string {
  return type.replace(/^perdure\./, '');
}
