/** The settings that the console needs before anyone signs in. They are public, so none is a secret. */
export interface ConsoleConfiguration {
  /** The issuer for sign-in. */
  readonly issuer: string;
  /** The id of the console at the issuer, as a public client (code flow with PKCE). */
  readonly clientID: string;
  /** The requested scopes, separated by spaces. */
  readonly scope: string;
  /** Sent where the issuer requires it to issue tokens for this API; undefined: not sent. */
  readonly audience: string | undefined;
}
