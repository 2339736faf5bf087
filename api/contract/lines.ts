/** Lists as newline-delimited JSON: one row per line, sent while it is read. */

export const linesMediaType = 'application/x-ndjson';

/** The body of a response that is sent line by line. */
export interface Lines {
  readonly text: AsyncIterable<string>;
  /** Aborted when the stream has lasted too long. */
  readonly expired: AbortSignal;
  /** Settled when the rows are no longer read. */
  readonly closed: Promise<void>;
  /** To be called when the response is over, however it ended. */
  close(): void;
}
