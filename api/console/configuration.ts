import { text } from '@perdure/configuration/kinds.js';
import { variable, type Role, type ValuesOf } from '@perdure/configuration/variable.js';

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
  /** Where Temporal's UI is, for links; undefined: there are none. */
  readonly temporalUI: string | undefined;
}

const roles: readonly Role[] = ['api'];

export const consoleSection = {
  title: 'Console',
  variables: {
    OIDC_CONSOLE_CLIENT_ID: variable({
      kind: text('the id of the console as a public client of the issuer'),
      default: 'console',
      roles,
      description:
        'The console as a client of the (first) issuer. Its redirect URI is `/console/callback`, and `/console/signed-out` after sign-out.',
    }),
    OIDC_CONSOLE_SCOPE: variable({
      kind: text('scopes separated by spaces'),
      default: 'openid profile',
      roles,
      description:
        'Scopes that the console requests. Add `offline_access` for a provider that issues refresh tokens only with it; ' +
        'without one, a session ends with its access token.',
    }),
    OIDC_CONSOLE_AUDIENCE: variable({
      kind: text('an audience'),
      roles,
      description: 'Audience that the console names when it requests a token, if the issuer requires one.',
    }),
    TEMPORAL_UI_URL: variable({
      kind: text("the URL of Temporal's UI such as https://temporal.example.com", /^https?:\/\/\S{1,500}$/),
      roles,
      defaultInWords: 'none; `npm start` sets it',
      description:
        "Temporal's UI, to which the console links [tasks on Temporal](how-to/run-a-task-on-temporal.md). Anyone can read it.",
    }),
  },
};

export function toConsoleConfiguration(
  values: ValuesOf<(typeof consoleSection)['variables']>,
): Omit<ConsoleConfiguration, 'issuer'> {
  return {
    clientID: values.OIDC_CONSOLE_CLIENT_ID,
    scope: values.OIDC_CONSOLE_SCOPE,
    audience: values.OIDC_CONSOLE_AUDIENCE,
    temporalUI: values.TEMPORAL_UI_URL?.replace(/(?<!\/)\/+$/, ''),
  };
}
