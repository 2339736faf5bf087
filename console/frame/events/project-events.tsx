/** Lists that change with the events of their project. One stream serves all lists of all tabs of a person. */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useSession } from '../access/use-session.js';
import { send } from '../api/client.js';
import { useProject } from '../project/project.js';
import { listenForEvents } from './event-reader.js';
import { shareEvents } from './shared-events.js';
import type { Message, Sharing } from './shared-events.js';
import { throttle } from './throttle.js';

/** The part of an event's type after `perdure.` and before the next dot. */
export type EventSubject = 'instance' | 'incident' | 'task' | 'definition';

/** A burst of events causes one refresh per interval. */
const refreshAtMostEveryMs = 1_000;
/** While the stream is open, polling is only a safety net. */
const pollWhileFollowingMs = 60_000;

interface Live {
  isFollowing: boolean;
  listen(subjects: readonly EventSubject[], onChange: () => void): () => void;
}

const Context = createContext<Live>({ isFollowing: false, listen: () => () => undefined });

/** Below the `ProjectProvider`. */
export function ProjectEvents({ children }: { children: ReactNode }) {
  const { id: projectID, role } = useProject();
  const session = useSession();
  // A tab whose session has expired must not keep the stream from the others.
  const subject = session.kind === 'signed-in' ? session.subject : undefined;
  const [isFollowing, setIsFollowing] = useState(false);
  const isVisible = useIsVisible();
  const [listeners] = useState(() => new Set<{ subjects: readonly EventSubject[]; onChange(): void }>());
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (!isVisible || !isWanted || subject === undefined) return undefined;
    const ending = new AbortController();
    const onEvent = (type: string | undefined) => {
      const about = type?.split('.')[1];
      for (const { subjects, onChange } of listeners)
        if (about === undefined || subjects.some((one) => one === about)) onChange();
    };
    const open = openStreamOf(projectID);
    const listener = { onEvent, onFollowing: setIsFollowing };
    // Tabs of other people, and of the same person with another role, have a separate stream.
    const name = `perdure.events ${JSON.stringify([projectID, subject, role])}`;
    const sharing = sharingOfBrowser();
    if (sharing) void shareEvents(sharing, name, open, listener, ending.signal);
    else void listenForEvents(open, listener, ending.signal);
    return () => {
      ending.abort();
      setIsFollowing(false);
    };
  }, [projectID, subject, role, isVisible, isWanted, listeners]);
  const listen = useCallback<Live['listen']>(
    (subjects, onChange) => {
      const listener = { subjects, onChange };
      listeners.add(listener);
      setIsWanted(true);
      return () => {
        listeners.delete(listener);
        setIsWanted(listeners.size > 0);
      };
    },
    [listeners],
  );
  const live = useMemo(() => ({ isFollowing, listen }), [isFollowing, listen]);
  return <Context value={live}>{children}</Context>;
}

/**
 * Refreshes a query when something happens to one of the subjects.
 *
 * @param prefix the beginning of its key
 * @param subjects the same array at every render; empty for lists that no event tells about
 * @returns the interval at which to poll as well
 */
export function useLiveQuery(
  prefix: readonly string[],
  subjects: readonly EventSubject[],
  pollEveryMs: number | false,
): number | false {
  const client = useQueryClient();
  const { isFollowing, listen } = useContext(Context);
  const key = JSON.stringify(prefix);
  useEffect(() => {
    if (subjects.length === 0) return undefined;
    const refresh = throttle(
      () => void client.invalidateQueries({ queryKey: JSON.parse(key) as string[] }),
      refreshAtMostEveryMs,
    );
    const end = listen(subjects, refresh);
    return () => {
      refresh.cancel();
      end();
    };
  }, [client, key, subjects, listen]);
  return isFollowing && subjects.length > 0 && pollEveryMs !== false ? pollWhileFollowingMs : pollEveryMs;
}

/** Undefined in browsers without locks, and on pages that are neither encrypted nor local. */
function sharingOfBrowser(): Sharing | undefined {
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return undefined;
  return {
    openChannel(name, onMessage) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data);
      return channel;
    },
    withLock: (name, signal, run) => locks.request(name, { signal }, run),
  };
}

function openStreamOf(projectID: string) {
  return (after: string | undefined, signal: AbortSignal) => {
    const url = new URL(`/projects/${encodeURIComponent(projectID)}/events`, window.location.origin);
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (after !== undefined) headers['Last-Event-ID'] = after;
    return send(new Request(url, { headers, signal }));
  };
}

/** A background tab follows no events. Its queries are refreshed when it becomes visible. */
function useIsVisible(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener('visibilitychange', onChange);
      return () => document.removeEventListener('visibilitychange', onChange);
    },
    () => document.visibilityState === 'visible',
  );
}
