/** Responses that are sent while they are read: lists as newline-delimited JSON, and server-sent events. */
/** Kinds of work with a limit of concurrent requests per caller. */
export type LimitedKind = 'search' | 'evaluation' | 'expression' | 'comparison' | 'stream';

export const linesMediaType = 'application/x-ndjson';

/** How rows become text. */
export interface LinesFormat {
  readonly mediaType: string;
  readonly countsAs: LimitedKind;
  /** Then the connection breaks, however far the reader is. */
  readonly maxMilliseconds: number;
  encode(row: unknown): string;
  /** Matches the schema of the items; undefined if the row has no item. */
  itemOf(row: unknown): unknown;
}

/** One row per line. A slower reader would get rows of very different times. */
export const jsonLines: LinesFormat = {
  mediaType: linesMediaType,
  countsAs: 'search',
  maxMilliseconds: 10 * 60_000,
  encode: (row) => `${JSON.stringify(row)}\n`,
  itemOf: (row) => row,
};

/** The body of a response that is sent line by line. */
export interface Lines {
  readonly mediaType: string;
  readonly text: AsyncIterable<string>;
  /** Aborted when the stream has lasted too long. */
  readonly expired: AbortSignal;
  /** Settled when the rows are no longer read. */
  readonly closed: Promise<void>;
  /** To be called when the response is over, however it ended. */
  close(): void;
}
