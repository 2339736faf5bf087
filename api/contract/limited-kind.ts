/** Kinds of work with a limit of concurrent requests per caller. */
export type LimitedKind = 'search' | 'evaluation' | 'stream';
