/**
 * One stream of events for all tabs of a browser, because a browser opens only six HTTP/1.1 connections to a host. The
 * tab that holds a lock reads the stream and passes on what it reads. When it closes, the browser gives the lock to
 * another tab, which continues after the last position.
 */
import { listenForEvents } from './event-reader.js';
import type { EventListener, OpenStream } from './event-reader.js';

export type Message =
  | { kind: 'joined' }
  | { kind: 'following'; isFollowing: boolean; after?: string | undefined }
  | { kind: 'event'; type?: string | undefined }
  | { kind: 'position'; after: string };

interface Channel {
  postMessage(message: Message): void;
  close(): void;
}

/** The parts of a browser with which tabs share: `BroadcastChannel`, and `navigator.locks`. */
export interface Sharing {
  openChannel(name: string, onMessage: (message: Message) => void): Channel;
  /** Runs while it holds the lock, for which it waits. Rejects if it is aborted before. */
  withLock(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<unknown>;
}

/**
 * Runs until it is aborted.
 *
 * @param name of the group of tabs that share: those with the same project, person, and role
 * @param open opens the stream, in one tab of the group at a time
 */
export async function shareEvents(
  { openChannel, withLock }: Sharing,
  name: string,
  open: OpenStream,
  listener: EventListener,
  signal: AbortSignal,
): Promise<void> {
  const channel = openChannel(name, (message) => receive(group, message));
  const group: Group = { channel, listener, isLeader: false, isFollowing: false, after: undefined };
  channel.postMessage({ kind: 'joined' });
  try {
    await withLock(name, signal, async () => {
      group.isLeader = true;
      await listenForEvents(open, leaderOf(group), signal, group.after);
      channel.postMessage({ kind: 'following', isFollowing: false });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}

/** The tab in its group. */
interface Group {
  readonly channel: Channel;
  readonly listener: EventListener;
  isLeader: boolean;
  isFollowing: boolean;
  /** The position of the last message that the tab knows of. */
  after: string | undefined;
}

function leaderOf(group: Group): EventListener {
  const { channel, listener } = group;
  return {
    onEvent(type) {
      channel.postMessage({ kind: 'event', type });
      listener.onEvent(type);
    },
    onPosition(after) {
      group.after = after;
      channel.postMessage({ kind: 'position', after });
    },
    onFollowing(isFollowing) {
      group.isFollowing = isFollowing;
      channel.postMessage({ kind: 'following', isFollowing, after: group.after });
      listener.onFollowing(isFollowing);
    },
  };
}

function receive(group: Group, message: Message): void {
  const { channel, listener, isLeader, isFollowing, after } = group;
  if (message.kind === 'joined') {
    if (isLeader) channel.postMessage({ kind: 'following', isFollowing, after });
    return;
  }
  if (message.kind === 'event') listener.onEvent(message.type);
  if (message.kind === 'position') group.after = message.after;
  if (message.kind !== 'following' || isLeader) return;
  group.after = message.after ?? after;
  if (message.isFollowing === isFollowing) return;
  group.isFollowing = message.isFollowing;
  listener.onFollowing(message.isFollowing);
  // Events between the last refresh and now may have been missed.
  if (message.isFollowing) listener.onEvent(undefined);
}
