/**
 * Who is signed in: authorization code with PKCE, tokens in memory alone. A page that is loaded again has none, and
 * asks the provider again, which answers without a question where its own session still stands.
 */
import { ErrorResponse, InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { User } from 'oidc-client-ts';
import { readConfiguration } from './configuration.js';

export type Session =
  | { kind: 'starting' }
  | { kind: 'signed-in'; subject: string; name: string; accessToken: string }
  | { kind: 'signed-out' }
  | { kind: 'expired'; name: string }
  | { kind: 'failed'; reason: string };

const base = '/console';
const callbackPath = `${base}/callback`;
export const signedOutPath = `${base}/signed-out`;
const renewBeforeSeconds = 60;

let session: Session = { kind: 'starting' };
let manager: UserManager | undefined;
const listeners = new Set<() => void>();

export function currentSession(): Session {
  return session;
}

/** Tells `listener` of every change, until the function that comes back is called. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the provider has sent the browser here. */
export function isArrival(): boolean {
  return [callbackPath, signedOutPath].includes(window.location.pathname);
}

/**
 * Signs in where the page was opened by anybody but the provider; takes the answer of the provider otherwise. It does not
 * settle while the browser is leaving.
 */
export async function openSession(): Promise<void> {
  try {
    const { pathname } = window.location;
    manager = await createManager();
    if (pathname === signedOutPath) return change({ kind: 'signed-out' });
    if (pathname !== callbackPath) return await signIn();
    const user = await manager.signinRedirectCallback();
    window.history.replaceState(null, '', returnAddress(user.state));
    accept(user);
  } catch (error) {
    change({ kind: 'failed', reason: reasonOf(error) });
  }
}

/** Leaves for the provider; it sends back to the page that is open now. */
export async function signIn(): Promise<void> {
  const { pathname, search, hash } = window.location;
  const isPlace = pathname !== callbackPath && pathname !== signedOutPath;
  try {
    manager ??= await createManager();
    await manager.signinRedirect({ state: isPlace ? `${pathname}${search}${hash}` : `${base}/` });
    await comeBack();
    change({ kind: 'signed-out' });
  } catch (error) {
    change({ kind: 'failed', reason: reasonOf(error) });
  }
}

/** Ends the session here and at the provider. */
export async function signOut(): Promise<void> {
  try {
    await manager?.signoutRedirect();
  } catch {
    // A provider without a sign-out page: at least here nothing is left.
    window.location.assign(signedOutPath);
  }
}

/** The API no longer accepts the token. */
export function expireSession(): void {
  if (session.kind === 'signed-in') change({ kind: 'expired', name: session.name });
}

/** Settles when the browser's back button brings the page back as it was left. */
function comeBack(): Promise<void> {
  return new Promise((resolve) => window.addEventListener('pageshow', ({ persisted }) => persisted && resolve()));
}

async function createManager(): Promise<UserManager> {
  const { issuer, clientID, scope, audience } = await readConfiguration();
  const { origin } = window.location;
  const created = new UserManager({
    authority: issuer,
    client_id: clientID,
    scope,
    redirect_uri: `${origin}${callbackPath}`,
    post_logout_redirect_uri: `${origin}${signedOutPath}`,
    ...(audience && { extraQueryParams: { audience } }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // Holds what has to outlive the way to the provider and back, which is no token.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    automaticSilentRenew: false,
    accessTokenExpiringNotificationTimeInSeconds: renewBeforeSeconds,
  });
  created.events.addAccessTokenExpiring(() => void renew(created));
  created.events.addAccessTokenExpired(expireSession);
  return created;
}

/** By the refresh token alone: a hidden frame would need a page of ours that may be framed. */
async function renew(from: UserManager): Promise<void> {
  const user = await from.getUser();
  if (user?.refresh_token === undefined) return;
  try {
    const renewed = await from.signinSilent();
    if (renewed) accept(renewed);
  } catch (error) {
    // Refused for good; anything else may pass, and the end of the token will tell.
    if (error instanceof ErrorResponse) expireSession();
  }
}

function accept({ profile, access_token: accessToken }: User): void {
  const name = profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub;
  change({ kind: 'signed-in', subject: profile.sub, name, accessToken });
}

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Where sign-in began, as far as it is a page of ours. */
function returnAddress(state: unknown): string {
  return typeof state === 'string' && state.startsWith(`${base}/`) ? state : `${base}/`;
}

function reasonOf(error: unknown): string {
  if (error instanceof ErrorResponse) return error.error_description ?? error.error ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
