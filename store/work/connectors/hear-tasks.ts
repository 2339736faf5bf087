import type { Listener } from '../../connections/listener.js';
import { readTasksAnnouncement } from '../../sql/announcements.js';

/** Tells connectors which projects have new jobs for them. They find expired leases and backoffs only by looking. */
export function taskHearing(listener: Listener) {
  const hearing = new Map<string, (projectID: string) => void>();
  const hear = (payload: string) => {
    const { taskType, projectID } = readTasksAnnouncement(payload);
    hearing.get(taskType)?.(projectID);
  };
  listener.add('perdure_tasks', {
    hear,
    // A job has one connector, so those of other processes need not hear of it.
    take(announcement) {
      if (!hearing.has(readTasksAnnouncement(announcement.payload).taskType)) return announcement;
      hear(announcement.payload);
      return undefined;
    },
  });

  /** @returns a function that ends this */
  return function hearTasks(taskTypes: readonly string[], hearProject: (projectID: string) => void): () => void {
    for (const taskType of taskTypes) hearing.set(taskType, hearProject);
    return () => taskTypes.forEach((taskType) => hearing.get(taskType) === hearProject && hearing.delete(taskType));
  };
}
