/** Waiting for events: one read of a project serves all who wait, and each gets what it would have read for itself. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { newestPosition, readFeed, type FeedPart, type FeedRequest } from '../../../store/events/feed.js';
import { SharedTails } from '../../../store/events/shared-tail.js';
import { Notifications } from '../../../store/notifications.js';
import { ensureProject } from '../../../store/projects/projects.js';
import type { Queryable } from '../../../store/sql/database.js';
import { assignAll, beginFeed } from '../support/events.js';
import { useStore } from '../support/store.js';

const store = useStore();

async function projectWithFeed(): Promise<string> {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  await beginFeed(store, project);
  await addEvents(project, 1);
  return project;
}

async function addEvents(project: string, count: number): Promise<void> {
  await store.database.query(
    `INSERT INTO events (project_id, type, subject, process_id, data)
     SELECT $1, CASE WHEN n % 2 = 0 THEN 'instance.started' ELSE 'instance.completed' END, 's' || n, 'p' || n % 3, '{}'
     FROM generate_series(1, $2::int) n`,
    [project, count],
  );
  await assignAll(store);
}

/** Counts the reads of the feed. */
function counted(): { readonly database: Queryable; count(): number } {
  let count = 0;
  const database = {
    query: async (...given: Parameters<typeof store.database.query>) => {
      count += 1;
      return store.database.query(...given);
    },
  };
  return { database: database as unknown as Queryable, count: () => count };
}

async function tailOf(projectID: string): Promise<string> {
  return (await newestPosition(store.database, projectID))!;
}

describe('events that are announced', () => {
  it('are read once for all who wait for them', async () => {
    const projectID = await projectWithFeed();
    const after = await tailOf(projectID);
    await addEvents(projectID, 3);
    const { database, count } = counted();
    const tails = new SharedTails(database);
    const parts = await Promise.all(
      Array.from({ length: 1_000 }, () => tails.read({ projectID, after, limit: 100 }) as Promise<FeedPart>),
    );
    expect(count()).toBe(1);
    for (const { events } of parts) expect(events.map(({ subject }) => subject)).toEqual(['s1', 's2', 's3']);
  });

  it('come to each waiter as if it had read for itself: by position, type, process, and limit', async () => {
    const projectID = await projectWithFeed();
    const positions = [await tailOf(projectID)];
    for (let round = 0; round < 4; round += 1) {
      await addEvents(projectID, 5);
      positions.push(await tailOf(projectID));
    }
    const requests: FeedRequest[] = positions.flatMap((after) =>
      [undefined, ['instance.started' as const]].flatMap((types) =>
        [undefined, 'p1'].flatMap((processID) =>
          [1, 3, 100].map((limit) => ({ projectID, after, types, processID, limit })),
        ),
      ),
    );
    const { database, count } = counted();
    const tails = new SharedTails(database);
    const shared = await Promise.all(requests.map((request) => tails.read(request)));
    expect(count()).toBe(1);
    for (const [index, request] of requests.entries()) {
      const own = (await readFeed(store.database, request)) as FeedPart;
      const part = shared[index] as FeedPart;
      expect(part.events, JSON.stringify(request)).toEqual(own.events);
      // `next` may be further with a filter, but never past an event that was not returned.
      const rest = (await readFeed(store.database, { ...request, after: part.next, limit: 100 })) as FeedPart;
      const all = (await readFeed(store.database, { ...request, limit: 100 })) as FeedPart;
      expect([...part.events, ...rest.events]).toEqual(all.events);
    }
  });

  it('are in no read that began before they were asked for', async () => {
    const projectID = await projectWithFeed();
    const after = await tailOf(projectID);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let count = 0;
    const database = {
      query: async (...given: Parameters<typeof store.database.query>) => {
        const found = await store.database.query(...given);
        if ((count += 1) === 1) await released;
        return found;
      },
    } as unknown as Queryable;
    const tails = new SharedTails(database);
    const first = tails.read({ projectID, after, limit: 10 });
    await vi.waitFor(() => expect(count).toBe(1));
    await addEvents(projectID, 1);
    const later = Array.from({ length: 10 }, () => tails.read({ projectID, after, limit: 10 }));
    release();
    expect(((await first) as FeedPart).events).toEqual([]);
    for (const part of await Promise.all(later)) expect((part as FeedPart).events).toHaveLength(1);
    expect(count).toBe(2);
  });

  it('are left to each waiter when there are many, when some have expired, or when it reads from the oldest on', async () => {
    const projectID = await projectWithFeed();
    const tails = new SharedTails(store.database);
    expect(await tails.read({ projectID, after: '0', limit: 10 })).toBe('unshared');
    const after = await tailOf(projectID);
    await addEvents(projectID, 500);
    expect(await tails.read({ projectID, after, limit: 10 })).toBe('unshared');
    await store.database.query('UPDATE event_feeds SET expired_through = $2 WHERE project_id = $1', [
      projectID,
      await tailOf(projectID),
    ]);
    expect(await tails.read({ projectID, after, limit: 10 })).toBe('unshared');
    await beginFeed(store, projectID, null);
    expect(await tails.read({ projectID, after, limit: 10 })).toBeUndefined();
  });

  it('cost the database no query for each of the requests that wait', async () => {
    const projectID = await projectWithFeed();
    const after = await tailOf(projectID);
    const reads: string[] = [];
    const pool = new Proxy(store.database, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name) as unknown;
        return (...given: Parameters<typeof target.query>) => {
          if (String(given[0]).includes('FROM event_feeds')) reads.push('read');
          return target.query(...given);
        };
      },
    });
    const notifications = await Notifications.open(pool, store.databaseUrl);
    try {
      const clients = Array.from({ length: 201 }, () => new AbortController());
      // A filter that no event matches: every reader is woken by every announcement, and waits again.
      const waiting = clients
        .slice(1)
        .map(({ signal }) =>
          notifications.readEvents(pool, { projectID, after, processID: 'none', limit: 10 }, 60_000, signal),
        );
      await vi.waitFor(() => expect(reads).toHaveLength(200));
      const matching = notifications.readEvents(pool, { projectID, after, limit: 10 }, 60_000, clients[0]!.signal);
      await vi.waitFor(() => expect(reads).toHaveLength(201));
      await addEvents(projectID, 1);
      await store.database.query(`SELECT pg_notify('perdure_events', $1)`, [projectID]);
      expect(((await matching) as FeedPart).events).toHaveLength(1);
      for (const client of clients) client.abort();
      await Promise.all(waiting);
      expect(reads.length).toBeLessThan(220);
    } finally {
      await notifications.close();
    }
  });
});
