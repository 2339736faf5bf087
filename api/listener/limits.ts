/** How many connections a listener keeps, and for how long it keeps those that make no progress. */

export interface ConnectionLimits {
  /** Of all clients together. */
  readonly connections: number;
  /**
   * Of one IPv4 address or one IPv6 /64. Its /24 or /48 may have four times as many. A trusted proxy has no share: the
   * concurrent requests of each address that it forwards have this limit instead, until their token is known.
   */
  readonly perAddress: number;
}

/** In milliseconds. */
export interface ListenerTimes {
  /** From the first byte of a request, or from the connection, to the end of the headers: then 408. */
  readonly headers: number;
  /** To the end of the body: then 408. */
  readonly request: number;
  /** How long a connection without a request stays open. */
  readonly keepAlive: number;
  /** While a request is answered: nothing read and nothing written. Longer than any request waits. */
  readonly noProgress: number;
  /** Time to read an answer, in addition to the time that the slowest rate allows. */
  readonly readingGrace: number;
  /** How often times and rates are checked. */
  readonly check: number;
}

/** At which a client must read an answer. */
export const SLOWEST_BYTES_PER_SECOND = 8 * 1024;

/** Networks of neighbors may have this many shares of an address. */
export const SHARES_OF_NETWORK = 4;

/**
 * Load balancers keep idle connections for 60 s, so the keep-alive is longer. The slowest operation is answered within 150 s,
 * and an event stream sends a line every 15 s.
 */
export const apiTimes: ListenerTimes = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  noProgress: 180_000,
  readingGrace: 20_000,
  check: 2_000,
};

/** Senders of webhooks deliver now and then: an idle connection of theirs only takes a place. */
export const hookTimes: ListenerTimes = { ...apiTimes, keepAlive: 5_000 };

export const apiLimits: ConnectionLimits = { connections: 4_096, perAddress: 256 };

/** Each connection can hold a body of one megabyte before its sender is authenticated. */
export const hookLimits: ConnectionLimits = { connections: 500, perAddress: 50 };

/** Prometheus, probes, and people. */
export const managementLimits: ConnectionLimits = { connections: 128, perAddress: 32 };

/** Browsers of the people who look at Temporal's UI. */
export const codecLimits: ConnectionLimits = { connections: 512, perAddress: 64 };
