import { describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { signIn, useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 90_000 });

describe.skipIf(reasonToSkip)('signing in to the console', () => {
  const console = useConsole();

  it('leads through the issuer to the page that was asked for', async () => {
    const page = await console.newPage();
    await page.goto(`${console.host.url}/console/projects/demo/instances?status=RUNNING`);
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/projects/demo/instances');
    expect(new URL(page.url()).search).toBe('?status=RUNNING');
  });

  it('asks nobody again after a reload while the session at the issuer stands', async () => {
    const page = await console.open('viewer');
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    expect(page.url()).toContain('/console/projects/demo/instances');
  });

  it('keeps no token where a script could find it later', async () => {
    const page = await console.open('viewer');
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie');
    expect(stored).not.toMatch(/eyJ|access_token|refresh_token/);
  });

  it('renews the token before it ends, without anybody noticing', async () => {
    const page = await console.newPage();
    await page.clock.install();
    await page.goto(`${console.host.url}/console/`);
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    const renewal = page.waitForResponse((response) => response.url().endsWith('/token') && (response.request().postData() ?? '').includes('grant_type=refresh_token'));
    await page.clock.fastForward('09:30');
    expect((await renewal).status()).toBe(200);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('says that the session has expired when it cannot be renewed', async () => {
    const page = await console.newPage();
    await page.clock.install();
    await page.goto(`${console.host.url}/console/`);
    await signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    await page.route('**/token', (route) => route.fulfill({ status: 400, contentType: 'application/json', headers: { 'access-control-allow-origin': '*' }, body: '{"error":"invalid_grant"}' }));
    await page.clock.fastForward('09:30');
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await page.unroute('**/token');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
  });

  it('says what went wrong when the issuer refuses', async () => {
    const page = await console.newPage();
    await page.goto(`${console.host.url}/console/callback?error=access_denied&error_description=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&state=unknown`);
    await page.getByRole('heading', { name: 'Sign-in did not work' }).waitFor();
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

  it('tells somebody without a project what they lack', async () => {
    const page = await console.open('outsider');
    await page.getByRole('heading', { name: 'No project yet' }).waitFor();
    await checkScreen(page, 'no-project');
  });

  it('tells somebody who follows a link into a project of others', async () => {
    const page = await console.open('viewer', '/console/projects/other/instances');
    await page.getByRole('heading', { name: 'No access to this project' }).waitFor();
    await page.getByRole('link', { name: 'demo' }).waitFor();
  });

  it('says that the session has expired and keeps what is on the screen', async () => {
    const page = await console.open('viewer');
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    await page.route('**/projects/demo/bpmn/**', (route) => route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"UNAUTHORIZED"}' }));
    await page.getByLabel('Business id').fill('order-1');
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    expect(await page.getByLabel('Business id').inputValue()).toBe('order-1');
    await checkScreen(page, 'expired');
  });
});
