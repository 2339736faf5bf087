/**
 * Follows the event feed of a project as server-sent events (HTML Living Standard, section 9.2). The browser's own
 * `EventSource` cannot send a bearer token.
 */

/** Opens the stream after a position; undefined for events from now on. */
export type OpenStream = (after: string | undefined, signal: AbortSignal) => Promise<Response>;

export interface EventListener {
  /** @param type such as `perdure.task.created`; undefined when events may have been missed */
  onEvent(type: string | undefined): void;
  /** Called after the event at a position, and for messages that only move the position on. */
  onPosition?(id: string): void;
  /** Whether the stream is open, so that lists need not be polled. */
  onFollowing(isFollowing: boolean): void;
}

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Without a feed, or with four other streams of the same person, lists are polled. */
const pauseWhenRefusedMs = 5 * 60_000;

/**
 * Runs until it is aborted.
 *
 * @param from the position after which to start; undefined for events from now on
 */
export async function listenForEvents(
  open: OpenStream,
  { onEvent, onPosition, onFollowing }: EventListener,
  signal: AbortSignal,
  from?: string,
): Promise<void> {
  let after = from;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const response = await open(after, signal);
      if (response.ok && response.body) {
        onFollowing(true);
        // Events between the last refresh and now may have been missed.
        if (after === undefined) onEvent(undefined);
        for await (const { id, type } of readEvents(response.body)) {
          after = id ?? after;
          pauseMs = firstPauseMs;
          if (type !== undefined) onEvent(type);
          if (id !== undefined) onPosition?.(id);
        }
      } else if (response.status === 409 && after !== undefined) {
        after = undefined;
        continue;
      } else if (response.status < 500) {
        pauseMs = pauseWhenRefusedMs;
      }
    } catch {
      // The host is down, the session has ended, or the stream broke.
    }
    if (signal.aborted) return;
    onFollowing(false);
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}

interface Message {
  id?: string;
  /** The id of the event; absent for keep-alive messages. */
  type?: string;
}

/**
 * Also yields messages without data, which keep the connection open and move the position on. Parsers that follow the
 * standard drop those.
 */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const messages = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = messages.pop()!;
      for (const message of messages) yield messageOf(message);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function messageOf(text: string): Message {
  const message: Message = {};
  for (const line of text.split('\n')) {
    if (line.startsWith('id: ')) message.id = line.slice(4);
    if (line.startsWith('data: ')) message.type = (JSON.parse(line.slice(6)) as { type: string }).type;
  }
  return message;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
