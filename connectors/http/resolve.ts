/** Replaces secret placeholders in a call to a permitted host. */
import { entryFor } from '../../outbound/egress/entry.js';
import { hostEntries, type Secret, type Secrets } from '../../outbound/secrets/secret.js';
import { maskOf, type Mask } from '../../outbound/secrets/mask.js';
import { mapStrings, type Placeholder } from '../inputs/placeholders.js';
import { replaceTokens, tokensIn } from '../inputs/tokens.js';
import { TaskError } from '../results/task-error.js';
import type { Call } from './call.js';

export interface ResolvedCall {
  readonly call: Call;
  /** Hides the secrets that the call contains. */
  readonly mask: Mask;
}

/** @throws TaskError `SECRET_REFUSED` */
export async function resolveSecrets(
  call: Call,
  placeholders: readonly Placeholder[],
  { secrets, projectID }: { secrets: Secrets; projectID: string },
): Promise<ResolvedCall> {
  const written = tokensIn(JSON.stringify(call));
  const used = placeholders.filter(({ token }) => written.has(token));
  const inHost = tokensIn(new URL(call.url).host);
  for (const { token, secretName } of used)
    if (inHost.has(token))
      throw refused(
        `the host of its URL contains the secret ${secretName}, and name servers would see it. Move it behind the host.`,
      );
  // The model can write the same name in several ways.
  const names = [...new Set(used.map(({ secretName }) => secretName))];
  const found = new Map(
    await Promise.all(names.map(async (name) => [name, await secretFor(call, name, secrets, projectID)] as const)),
  );
  const valueOf = new Map(used.map(({ token, secretName }) => [token, found.get(secretName)!.values[0]!]));
  const put = (text: string, encode = (value: string) => value) =>
    replaceTokens(text, (token) => {
      const value = valueOf.get(token);
      return value === undefined ? undefined : encode(value);
    });
  return {
    call: {
      ...call,
      url: put(call.url, encodeForURL),
      headers: Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, put(value)])),
      basic: call.basic === undefined ? undefined : put(call.basic),
      body: call.body === undefined ? undefined : mapStrings(call.body, (text) => put(text)),
    },
    mask: maskOf([...found.values()].flatMap(({ values }) => values)),
  };
}

async function secretFor(call: Call, name: string, secrets: Secrets, projectID: string): Promise<Secret> {
  const url = new URL(call.url);
  const secret = await secrets.resolve(projectID, name).catch((error: Error) => {
    throw refused(error.message);
  });
  if (secret === undefined) throw refused(`the project has no secret ${name}. An operator can add it.`);
  if (entryFor(hostEntries(secret), url) === undefined)
    throw refused(
      `the secret ${name} may not be sent to ${url.host}. An operator can add the host to those of the secret.`,
    );
  return secret;
}

/** Keeps slashes: the secret of a webhook is often a path of several segments. */
function encodeForURL(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/');
}

function refused(reason: string): TaskError {
  return new TaskError('SECRET_REFUSED', `The request was not sent: ${reason}`);
}
