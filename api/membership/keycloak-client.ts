/** Client of Keycloak's admin REST API that uses the service account of the host. */
import { z } from 'zod';
import type { KeycloakAdministration } from '../access/settings/administration.js';
import { callProvider, ProviderFailure } from './call-provider.js';
import type { ProviderAnswer, ProviderRequest } from './call-provider.js';

export interface KeycloakClient {
  /** @param path below the realm, with a leading slash and every segment encoded */
  call(path: string, request?: Omit<ProviderRequest, 'token'>): Promise<ProviderAnswer>;
  /**
   * Every item of a list that Keycloak returns in pages.
   * @param path without a query
   */
  listAll<Item>(path: string, item: z.ZodType<Item>): Promise<Item[]>;
}

const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.number() });
const pieceSize = 200;
/** Renews before expiry, to allow for network latency and clock differences. */
const renewalMilliseconds = 10_000;

export function createKeycloakClient({ url, clientID, secret }: KeycloakAdministration): KeycloakClient {
  const tokenEndpoint = `${url.replace(/\/admin(\/realms\/[^/]+)$/, '$1')}/protocol/openid-connect/token`;
  let kept: { readonly token: Promise<string>; usableUntil: number } | undefined;

  async function fetchToken(entry: { usableUntil: number }): Promise<string> {
    const { body } = await callProvider(tokenEndpoint, {
      method: 'POST',
      form: { grant_type: 'client_credentials', client_id: clientID, client_secret: secret },
    });
    const read = tokenAnswer.safeParse(body);
    if (!read.success) throw new ProviderFailure('Keycloak returned no access token');
    entry.usableUntil = performance.now() + Math.max(0, read.data.expires_in * 1000 - renewalMilliseconds);
    return read.data.access_token;
  }

  /** One request to the token endpoint, however many callers need it at once; a failed one is not cached. */
  function currentToken(): Promise<string> {
    if (kept !== undefined && performance.now() < kept.usableUntil) return kept.token;
    const entry = { usableUntil: Number.POSITIVE_INFINITY, token: Promise.resolve('') };
    kept = entry;
    entry.token = fetchToken(entry).catch((error: unknown) => {
      if (kept === entry) kept = undefined;
      throw error;
    });
    return entry.token;
  }

  async function call(path: string, request: Omit<ProviderRequest, 'token'> = {}): Promise<ProviderAnswer> {
    const understood = [...(request.understood ?? []), 401];
    const first = await callProvider(url + path, { ...request, token: await currentToken(), understood });
    if (first.status !== 401) return first;
    // Keycloak may have rotated its keys or lost its sessions; a new token shows whether that was the cause.
    kept = undefined;
    return callProvider(url + path, { ...request, token: await currentToken() });
  }

  return {
    call,
    async listAll(path, item) {
      const all: z.output<typeof item>[] = [];
      for (;;) {
        const { body } = await call(`${path}?first=${all.length}&max=${pieceSize}`);
        const piece = z.array(item).safeParse(body);
        if (!piece.success) throw new ProviderFailure(`Keycloak did not return a list for ${path}`);
        all.push(...piece.data);
        if (piece.data.length < pieceSize) return all;
      }
    },
  };
}
