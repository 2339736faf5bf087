import { jobsAnnouncement, tasksAnnouncement, type Announcement } from '../sql/announcements.js';
import { isOfConnectors } from './connectors/task-types.js';

/**
 * Announces jobs that can be leased, to job workers and to connectors.
 * @param taskTypes one for each job
 */
export function jobsAnnouncements(projectID: string, taskTypes: readonly string[]): Announcement[] {
  const counts = new Map<string, number>();
  for (const taskType of taskTypes) counts.set(taskType, (counts.get(taskType) ?? 0) + 1);
  return [...counts].flatMap(([taskType, count]) => [
    jobsAnnouncement(projectID, taskType, count),
    ...(isOfConnectors(taskType) ? [tasksAnnouncement(projectID, taskType)] : []),
  ]);
}
