/**
 * The session: authorization code with PKCE, tokens in memory only. A reloaded page has no tokens and signs in
 * through the provider again, without a prompt if the provider's own session is still open.
 */
import { ErrorResponse } from 'oidc-client-ts';
import type { User, UserManager } from 'oidc-client-ts';
import { expectAnswerOf, forOtherWindow, isForOtherWindow } from './answer.js';
import { forgetCopies } from '../../features/modeler/copies/forget.js';
import { base, callbackPath, createManager, signedOutPath, storeMetadata } from './provider.js';
import { forgetPlaces } from '../palette/recent-places.js';
import { handOver, WindowRefused } from './sign-in-window.js';

export type Session =
  | { kind: 'starting' }
  | { kind: 'signed-in'; subject: string; name: string; accessToken: string }
  | { kind: 'signed-out' }
  | { kind: 'expired'; subject: string; name: string; /** Why signing in again did not work. */ reason?: string }
  /** This window was opened to sign in for another. */
  | { kind: 'handed-over' }
  | { kind: 'failed'; reason: string };

/** The page from which the sign-in started. */
const placeKey = 'perdure.place';

const REVOCATION_TIMEOUT_MS = 3_000;

let session: Session = { kind: 'starting' };
let manager: UserManager | undefined;
const listeners = new Set<() => void>();

export function currentSession(): Session {
  return session;
}

/** Subscribes to session changes. Returns the unsubscribe function. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this page is a redirect from the provider. */
export function isArrival(): boolean {
  return [callbackPath, signedOutPath].includes(window.location.pathname);
}

/** The console page from which the sign-in started. */
export function placeOfReturn(): string {
  return window.sessionStorage.getItem(placeKey) ?? `${base}/`;
}

/**
 * Signs in where the page was opened by anybody but the provider; takes the answer of the provider otherwise. It does
 * not settle while the browser is leaving.
 */
export async function openSession(): Promise<void> {
  try {
    const { pathname, href } = window.location;
    if (pathname === callbackPath && isForOtherWindow(href)) {
      handOver();
      return change({ kind: 'handed-over' });
    }
    manager = await openManager();
    if (pathname === signedOutPath) return change({ kind: 'signed-out' });
    if (pathname !== callbackPath) return await signIn();
    expectAnswerOf(manager.settings.authority, href);
    const user = await manager.signinRedirectCallback(href);
    window.history.replaceState(null, '', placeOfReturn());
    accept(user);
  } catch (error) {
    change({ kind: 'failed', reason: reasonOf(error) });
  }
}

/** Redirects to the provider, which redirects back to the current page. */
export async function signIn(): Promise<void> {
  const { pathname, search, hash } = window.location;
  const isPlace = pathname !== callbackPath && pathname !== signedOutPath;
  try {
    manager ??= await openManager();
    await storeMetadata(manager);
    window.sessionStorage.setItem(placeKey, isPlace ? `${pathname}${search}${hash}` : `${base}/`);
    await manager.signinRedirect({ nonce: crypto.randomUUID() });
    await comeBack();
    change({ kind: 'signed-out' });
  } catch (error) {
    change({ kind: 'failed', reason: reasonOf(error) });
  }
}

/**
 * Signs in in a separate window, so that the page keeps its state. If the browser opens no window, redirects like
 * `signIn`.
 */
export async function signInAgain(): Promise<void> {
  if (session.kind !== 'expired') return;
  const { subject } = session;
  try {
    const user = await manager!.signinPopup({ url_state: forOtherWindow, nonce: crypto.randomUUID() });
    if (user.profile.sub === subject) accept(user);
    // The content of the page belongs to another person.
    else window.location.reload();
  } catch (error) {
    if (error instanceof WindowRefused) return signIn();
    const now = currentSession();
    if (now.kind === 'expired') change({ ...now, reason: reasonOf(error) });
  }
}

/** Ends the session here and at the provider. */
export async function signOut(): Promise<void> {
  await revoke();
  forgetPlaces(window.localStorage);
  forgetCopies();
  try {
    await manager?.signoutRedirect();
  } catch {
    // The provider has no sign-out page, so only the local session ends.
    window.location.assign(signedOutPath);
  }
}

/** A sign-out at the provider alone need not end what the refresh token can still obtain. */
async function revoke(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, REVOCATION_TIMEOUT_MS));
  // A provider without an endpoint for it, or one that does not respond, must not keep anyone signed in.
  await Promise.race([manager?.revokeTokens(['refresh_token']).catch(() => undefined), timeout]);
}

/** The API no longer accepts the token. */
export function expireSession(): void {
  if (session.kind === 'signed-in') change({ kind: 'expired', subject: session.subject, name: session.name });
}

/** Settles when the back button restores the page from the browser's cache. */
function comeBack(): Promise<void> {
  return new Promise((resolve) => window.addEventListener('pageshow', ({ persisted }) => persisted && resolve()));
}

async function openManager(): Promise<UserManager> {
  const opened = await createManager();
  opened.events.addAccessTokenExpiring(() => void renew(opened));
  opened.events.addAccessTokenExpired(expireSession);
  return opened;
}

/** Uses refresh tokens only: a hidden frame would require that a page of the console can be framed. */
async function renew(from: UserManager): Promise<void> {
  const user = await from.getUser();
  if (user?.refresh_token === undefined) return;
  try {
    const renewed = await from.signinSilent();
    if (renewed) accept(renewed);
  } catch (error) {
    // The refresh token is invalid. Other errors may be temporary; the session then ends with its token.
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

function reasonOf(error: unknown): string {
  if (error instanceof ErrorResponse) return error.error_description ?? error.error ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
