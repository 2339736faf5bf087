/** The identity provider, and the address to which it redirects. */
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { OidcMetadata } from 'oidc-client-ts';
import { readConfiguration } from './configuration.js';
import { signInWindow } from './sign-in-window.js';

export const base = '/console';
export const callbackPath = `${base}/callback`;
export const signedOutPath = `${base}/signed-out`;

const renewBeforeSeconds = 60;
/** Metadata of the provider, kept for the page after the redirect, which does not fetch it again. */
const metadataKey = 'perdure.provider';

/** @throws when the host does not respond */
export async function createManager(): Promise<UserManager> {
  const { issuer, clientID, scope, audience } = await readConfiguration();
  const { origin } = window.location;
  return new UserManager(
    {
      authority: issuer,
      client_id: clientID,
      scope,
      redirect_uri: `${origin}${callbackPath}`,
      popup_redirect_uri: `${origin}${callbackPath}`,
      post_logout_redirect_uri: `${origin}${signedOutPath}`,
      ...(audience && { extraQueryParams: { audience } }),
      ...storedMetadata(issuer),
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      // Holds data that must survive the redirect to the provider and back, but never a token.
      stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
      automaticSilentRenew: false,
      accessTokenExpiringNotificationTimeInSeconds: renewBeforeSeconds,
    },
    undefined,
    signInWindow(issuer),
  );
}

/** @throws when the provider does not respond */
export async function storeMetadata({ metadataService }: UserManager): Promise<void> {
  window.sessionStorage.setItem(metadataKey, JSON.stringify(await metadataService.getMetadata()));
}

/** Used once, so that the next sign-in sees changes at the provider. */
function storedMetadata(issuer: string): { metadata?: Partial<OidcMetadata> } {
  const stored = window.sessionStorage.getItem(metadataKey);
  window.sessionStorage.removeItem(metadataKey);
  const metadata = stored === null ? undefined : (JSON.parse(stored) as Partial<OidcMetadata>);
  return metadata?.issuer === issuer ? { metadata } : {};
}
