/** A dependency without which the host cannot work. */
export interface ReadinessCheck {
  /** The name that `/ready` reports when the dependency is missing, for example `postgres`. */
  readonly name: string;
  /** Resolves with undefined when the dependency works, otherwise with one sentence about the failure. */
  check(): Promise<string | undefined>;
  /**
   * The sentence of the API instead, if that one names things that callers without a token need not know. The
   * management port says the sentence.
   */
  readonly publicMessage?: string;
  /** Takes no time and changes at once, so `/ready` of the API asks each time. */
  readonly isImmediate?: boolean;
}
