import { createHash, randomBytes } from 'node:crypto';

/** As much of a browser as a sign-in needs: it keeps cookies and goes where it is sent, one step at a time. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) this.remember(line);
    return response;
  }

  private remember(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export interface SignIn {
  code: string;
  verifier: string;
  redirectUri: string;
}

/** Signs a user in to the console, up to the code that it then exchanges. */
export async function signIn(issuer: string, name: string, browser = new Browser()): Promise<SignIn> {
  const { url, verifier, redirectUri } = authorizationRequest(issuer);
  const loginPage = locationOf(await browser.request(url));
  const body = new URLSearchParams({ name, password: `dev-${name}` });
  const resume = locationOf(await browser.request(loginPage, { method: 'POST', body }));
  const callback = new URL(locationOf(await browser.request(resume)));
  return { code: callback.searchParams.get('code') ?? '', verifier, redirectUri };
}

/** The authorization request of the console; `changes` replace single parameters. */
export function authorizationRequest(issuer: string, changes: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = 'http://127.0.0.1:8080/console/callback';
  const parameters = new URLSearchParams({
    client_id: 'console',
    response_type: 'code',
    scope: 'openid profile',
    state: 'state',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
  return { url: `${issuer}/auth?${parameters}`, verifier, redirectUri };
}

export function locationOf(response: Response): string {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.url} answered ${response.status} and redirected to no page`);
  return new URL(location, response.url).href;
}
