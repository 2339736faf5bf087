/** What the console has to know before anybody signs in. It is public: nothing in it is a secret. */
export interface ConsoleConfiguration {
  /** Where people sign in. */
  readonly issuer: string;
  /** The console's name at the issuer, where it is a public client (code flow with PKCE). */
  readonly clientID: string;
  /** What is asked for, separated by spaces. */
  readonly scope: string;
  /** Sent along where the issuer gives out tokens for this API only when it is named; undefined: not sent. */
  readonly audience: string | undefined;
}
