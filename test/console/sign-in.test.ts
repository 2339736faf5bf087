import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { signIn, useConsole } from './support/console.js';
import { fileWithForm } from './support/files.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('signing in to the console', () => {
  const console = useConsole();

  async function openBeside(page: Page): Promise<Page> {
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    return opened;
  }

  /** While the session at the issuer is valid, it asks for nothing and the window closes itself. */
  async function signInBeside(page: Page): Promise<void> {
    const popup = await openBeside(page);
    if (!popup.isClosed()) await popup.waitForEvent('close');
  }

  it('leads through the issuer to the page that was asked for', async () => {
    const page = await console.newPage();
    await page.goto(`${console.host.url}/console/projects/demo/instances?status=RUNNING`);
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Instances', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/projects/demo/instances');
    expect(new URL(page.url()).search).toBe('?status=RUNNING');
  });

  it('does not ask for credentials after a reload while the session at the issuer is valid', async () => {
    const page = await console.open('viewer');
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    expect(page.url()).toContain('/console/projects/demo/dashboard');
  });

  it('keeps no token in storage that a script could read later', async () => {
    const page = await console.open('viewer');
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
    );
    expect(stored).not.toMatch(/eyJ|access_token|refresh_token/);
  });

  it('renews the token before it expires, without interruption', async () => {
    const page = await console.newPage();
    await page.clock.install();
    await page.goto(`${console.host.url}/console/`);
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    const renewal = page.waitForResponse(
      (response) =>
        response.url().endsWith('/token') && (response.request().postData() ?? '').includes('grant_type=refresh_token'),
    );
    await page.clock.fastForward('09:30');
    expect((await renewal).status()).toBe(200);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('says that the session has expired when it cannot be renewed', async () => {
    const page = await console.newPage();
    await page.clock.install();
    await page.goto(`${console.host.url}/console/`);
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    // Renewals alone: signing in again has to get its token.
    await page.route('**/token', (route) =>
      route.request().postData()?.includes('grant_type=refresh_token')
        ? route.fulfill({
            status: 400,
            contentType: 'application/json',
            headers: { 'access-control-allow-origin': '*' },
            body: '{"error":"invalid_grant"}',
          })
        : route.continue(),
    );
    await page.clock.fastForward('09:30');
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await signInBeside(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
  });

  it('lets a user sign in again in the middle of an action: nothing typed is lost, and no request is sent in the meantime', async () => {
    const workflowID = await console.host.start(await console.host.deploy('with-form.bpmn', fileWithForm), {});
    const page = await console.newPage();
    await page.clock.install();
    await page.goto(`${console.host.url}${InstancePage.address(workflowID, '?tab=variables')}`);
    await signIn(page, 'editor');
    await page.getByRole('button', { name: 'Set variables' }).click();
    const form = page.getByRole('dialog', { name: 'Set variables' });
    await form.getByLabel('Variables to set').fill('{ "note": "typed before" }');
    await page.route('**/variables', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"UNAUTHORIZED"}' }),
    );
    await form.getByRole('button', { name: 'Set variables' }).click();
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await page.unroute('**/variables');

    let asked = 0;
    page.on('request', (request) => (asked += request.url().includes('/projects/') ? 1 : 0));
    for (let step = 0; step < 10; step += 1) await page.clock.fastForward(5_000);
    await page.evaluate('fetch("/console/configuration.json").then((response) => response.text())');
    expect(asked).toBe(0);

    await signInBeside(page);
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor({ state: 'detached' });
    expect(await form.getByLabel('Variables to set').inputValue()).toBe('{ "note": "typed before" }');
    await form.getByRole('button', { name: 'Set variables' }).click();
    await page.getByText('"typed before"').waitFor();
    expect(await page.getByText('Could not refresh').count()).toBe(0);
  });

  it('shows no data of one person to another one who signs in after the session has ended', async () => {
    const page = await console.open('editor', '/console/projects/demo/instances?businessId=seen-by-the-editor');
    await page.getByRole('heading', { name: 'No instances match' }).waitFor();
    await page.route('**/projects/demo/bpmn/**', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"UNAUTHORIZED"}' }),
    );
    await page.getByRole('combobox', { name: 'Find instances' }).fill('any');
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await page.unroute('**/projects/demo/bpmn/**');
    await page.context().clearCookies();
    const loaded = page.waitForEvent('load');
    const popup = await openBeside(page);
    await popup.waitForURL(/\/login\//);
    await popup.locator('input[name=name]').fill('viewer');
    await popup.locator('input[name=password]').fill('dev-viewer');
    await popup.locator('button[type=submit], input[type=submit]').click();
    await loaded;
    await page.getByRole('heading', { name: 'Instances', exact: true }).waitFor();
    await page.getByText('viewer', { exact: true }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Integrations' }).count()).toBe(0);
  });

  it('accepts a response of the provider once, in the window that requested it, with its state and verifier', async () => {
    const page = await console.newPage();
    const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has('code_challenge'));
    const answered = page.waitForRequest((request) => request.url().includes('/console/callback?'));
    await page.goto(`${console.host.url}/console/`);
    expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/.{20}/),
      state: expect.stringMatching(/.{20}/),
    });
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    const answer = (await answered).url();
    await page.goto(answer);
    await page.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
    const other = await console.newPage();
    await other.goto(answer);
    await other.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
  });

  it('refuses a response that it has not requested', async () => {
    const page = await console.newPage();
    await page.route(/code_challenge=/, (route) => {
      const { searchParams } = new URL(route.request().url());
      const answer = `${console.host.url}/console/callback?${new URLSearchParams({ code: 'of-another', state: searchParams.get('state')!, iss: 'https://other.example' })}`;
      return route.fulfill({
        contentType: 'text/html',
        body: `<meta http-equiv="refresh" content="0; url=${answer.replaceAll('&', '&amp;')}">`,
      });
    });
    const exchanged = vi.fn();
    page.on('request', (request) => request.url().endsWith('/token') && exchanged());
    await page.goto(`${console.host.url}/console/`);
    await page.getByText('got one from https://other.example').waitFor();
    expect(exchanged).not.toHaveBeenCalled();
  });

  it('asks for no session that outlives the one at the issuer, and revokes its refresh token when a user signs out', async () => {
    const page = await console.newPage();
    const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has('code_challenge'));
    await page.goto(`${console.host.url}/console/`);
    expect(new URL((await asked).url()).searchParams.get('scope')).toBe('openid profile');
    const issued = page.waitForResponse((response) => response.url().endsWith('/token'));
    await signIn(page, 'viewer');
    const { refresh_token: refreshToken } = (await (await issued).json()) as { refresh_token: string };
    const tokenEndpoint = (await issued).url();
    const revoked = page.waitForResponse((response) => response.url().endsWith('/revocation'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect((await revoked).status()).toBe(200);
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'console',
      refresh_token: refreshToken,
    });
    const again = await fetch(tokenEndpoint, { method: 'POST', body });
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('leads nowhere but to its own pages', async () => {
    const page = await console.newPage();
    await page.goto(`${console.host.url}/console//evil.example/?returnTo=https://evil.example`);
    await signIn(page, 'viewer');
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(new URL(page.url()).origin).toBe(console.host.url);
  });

  it('says what went wrong when the issuer refuses', async () => {
    const page = await console.newPage();
    await page.goto(
      `${console.host.url}/console/callback?error=access_denied&error_description=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&state=unknown`,
    );
    await page.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
    await checkScreen(page, 'sign-in-failed');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/\/login\//);
  });

  it('ends here and at the issuer', async () => {
    const page = await console.open('viewer');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/session\/end/);
    await page.locator('button, input[type=submit]').first().click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await checkScreen(page, 'signed-out');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/login\//);
  });

  it('tells a user without a project what is missing', async () => {
    const page = await console.open('outsider');
    await page.getByRole('heading', { name: 'No project yet' }).waitFor();
    await checkScreen(page, 'no-project');
  });

  it('says so if a link leads into a project without access', async () => {
    const page = await console.open('viewer', '/console/projects/other/instances');
    await page.getByRole('heading', { name: 'No access to this project' }).waitFor();
    await page.getByRole('link', { name: 'demo' }).waitFor();
  });

  it('says that the session has expired and keeps what is on the screen', async () => {
    const page = await console.open('viewer', '/console/projects/demo/instances');
    await page.getByRole('heading', { name: 'Instances', exact: true }).waitFor();
    await page.route('**/projects/demo/bpmn/**', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"UNAUTHORIZED"}' }),
    );
    await page.getByRole('combobox', { name: 'Find instances' }).fill('order-1');
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    // The dialog hides the rest of the page from assistive technology.
    expect(await page.locator('input[role=combobox]').inputValue()).toBe('order-1');
    await checkScreen(page, 'expired');
  });
});
