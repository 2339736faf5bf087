/** Makes events readable soon after their commit, and reports user tasks that become overdue. */
import { reportOverdueTasks } from '../../store/events/of-task.js';
import { assignPositions, hasFeeds } from '../../store/events/positions.js';
import { eventsAnnouncement } from '../../store/sql/announcements.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { pause, repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

const PAUSE_MS = 100;
const PAUSE_WITHOUT_FEEDS_MS = 1_000;

/** Several processes can run them. */
export function eventFeed({ store }: { store: Database }): Chore[] {
  return [eventPositions(store), overdueTasks(store)];
}

function eventPositions(store: Database): Chore {
  let hasFeed = false;
  return {
    name: 'event_positions',
    every: PAUSE_MS,
    prompt: true,
    wait: (milliseconds, stopping) => pause(hasFeed ? milliseconds : PAUSE_WITHOUT_FEEDS_MS, stopping),
    async run() {
      hasFeed = await hasFeeds(store);
      if (!hasFeed) return 'done';
      const { projectIDs, isFull } = await assignPositions(store);
      store.announce(projectIDs.map(eventsAnnouncement));
      return isFull ? 'more' : 'done';
    },
  };
}

function overdueTasks(store: Database): Chore {
  const projects = firstTurn();
  return {
    name: 'overdue_tasks',
    every: 5_000,
    run: (turn) => repeat(turn, async () => (await reportOverdueTasks(store, projects)) > 0 || projects.after !== ''),
  };
}
