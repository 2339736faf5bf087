/** Rows as server-sent events (HTML Living Standard, section 9.2), for readers that follow what happens. */
import type { LinesFormat } from '../../../contract/lines.js';

/** Without an item, it only keeps the connection alive and tells the reader where to continue. */
export interface ServerSentEvent {
  readonly id: string;
  readonly item?: unknown;
}

/** How long a stream lasts; its reader then opens the next one. */
export const MAX_STREAM_MS = 15 * 60_000;
/** For a reader that does not take the end of its stream. */
const GRACE_MS = 60_000;

export const serverSentEvents: LinesFormat = {
  mediaType: 'text/event-stream',
  countsAs: 'stream',
  maxMilliseconds: MAX_STREAM_MS + GRACE_MS,
  encode(row) {
    const { id, item } = row as ServerSentEvent;
    return item === undefined ? `:\nid: ${id}\n\n` : `id: ${id}\ndata: ${JSON.stringify(item)}\n\n`;
  },
  itemOf: (row) => (row as ServerSentEvent).item,
};
