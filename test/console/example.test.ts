import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { exampleFile } from './support/host.js';
import { InstancePage } from './support/instance-page.js';
import { shownByRefresh, withClock } from './support/refresh.js';

vi.setConfig({ testTimeout: 120_000 });

const running = (page: Page) => page.getByText('Demo worker running in this tab', { exact: true });
const notRunning = (page: Page) => page.getByText('No demo worker runs in this tab.');
const runDemoWorker = (page: Page) => page.getByRole('button', { name: 'Run the demo worker' });

/** Without the pauses of the demo worker. */
async function untilCompleted(page: Page): Promise<void> {
  await shownByRefresh(page, page.getByText('This order has ended.'));
  await page.getByRole('heading', { level: 1 }).locator('..').getByText('Completed').waitFor();
}

describe.skipIf(reasonToSkip)('an empty project', () => {
  const console = useConsole();
  const orders = () =>
    console.host.call<{ data: { status: string }[] }>('viewer', 'GET', '/instances?processId=order-fulfilment');

  it('says how to get the role that runs the example', async () => {
    const empty = { data: [], pagination: { page: 1, pageSize: 50, total: 0, totalPages: 0 } };
    const page = await console.open('executor', '/console/projects/demo/processes', (opened) =>
      opened.route('**/bpmn/processes?*', (route) => route.fulfill({ json: empty })),
    );
    await page.getByText('Your role is executor. To become an editor, ask an admin of this project').waitFor();
    expect(await page.getByRole('button', { name: 'Run the example' }).count()).toBe(0);
    await checkScreen(page, 'example-without-role');
  });

  it('runs the example from one click to an order that a person approves', async () => {
    const page = await console.open('editor', undefined, withClock);
    await page.getByRole('heading', { name: 'No processes yet' }).waitFor();
    await checkScreen(page, 'example-offer');
    await page.setViewportSize({ width: 390, height: 800 });
    await checkScreen(page, 'example-offer-narrow');

    // The host becomes unavailable once both files are deployed.
    const offer = page.getByRole('button', { name: 'Run the example' });
    await page.route('**/bpmn/instances', (route) => route.abort());
    await offer.dblclick();
    await page.getByRole('alert').getByText('The host does not respond').waitFor();
    await page.unroute('**/bpmn/instances');
    await offer.dblclick();
    await running(page).waitFor();
    await checkScreen(page, 'example-running-narrow');
    await page.setViewportSize({ width: 1440, height: 900 });
    await checkScreen(page, 'example-running');
    await untilCompleted(page);
    await running(page).waitFor({ state: 'detached' });
    const { data: processes } = await console.host.call('viewer', 'GET', '/processes');
    expect(processes).toMatchObject([
      { processID: 'collect-payment', versionCount: 1 },
      { processID: 'order-fulfilment', versionCount: 1 },
    ]);
    expect((await orders()).data).toMatchObject([{ status: 'COMPLETED' }]);

    await page.getByRole('button', { name: 'Start an order of 1,500' }).dblclick();
    await shownByRefresh(page, page.getByText('This order waits for a person.'));
    await checkScreen(page, 'example-approval');
    await page.getByRole('link', { name: 'Open its tasks' }).click();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Complete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Complete Approve order' });
    await dialog.getByLabel('Result').fill('{"approved": true}');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await untilCompleted(page);
    expect((await orders()).data).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }]);
  });
});

describe.skipIf(reasonToSkip)('the demo worker', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    await console.host.deploy('collect-payment.bpmn', exampleFile('collect-payment.bpmn'));
    definitionID = await console.host.deploy('order-fulfilment.bpmn', exampleFile('order-fulfilment.bpmn'));
  });

  /** Opens the page of an order that waits for its first job. */
  async function openOrder(orderID: string): Promise<Page> {
    const order = { orderID, total: 120, items: [{ sku: 'kettle', quantity: 2 }] };
    const workflowID = await console.host.start(definitionID, order, orderID);
    return console.open('executor', InstancePage.address(workflowID), withClock);
  }

  it('continues an order whose tab was closed, and stops on request', async () => {
    const page = await openOrder('demo-order-left');
    await notRunning(page).waitFor();
    expect(await running(page).count()).toBe(0);
    await page.route('**/external-jobs?*', (route) => route.fulfill({ json: { data: [] } }));
    await runDemoWorker(page).click();
    await running(page).waitFor();
    await page.getByRole('button', { name: 'Stop the demo worker' }).click();
    await notRunning(page).waitFor();
    expect(await running(page).count()).toBe(0);
    await page.unroute('**/external-jobs?*');
    await runDemoWorker(page).click();
    await untilCompleted(page);
  });

  it('waits while the session has expired, and says why it stopped when the host refuses it', async () => {
    const page = await openOrder('demo-order-expired');
    const completions = '**/external-jobs/*/complete';
    const refuseAs = (status: number, code: string, detail: string) =>
      page.route(completions, (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ code, detail }) }),
      );
    await refuseAs(401, 'UNAUTHORIZED', 'The access token has expired');
    await runDemoWorker(page).click();
    await page.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await page.unroute(completions);
    await refuseAs(404, 'NOT_FOUND', 'Not found, or not visible with this token');
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await popup;
    await page.getByText('The demo worker stopped. Not found, or not visible with this token').waitFor();
    await checkScreen(page, 'example-stopped');
    await page.unroute(completions);
    await runDemoWorker(page).click();
    await untilCompleted(page);
  });

  it('shares an order with the demo worker of another tab, and waits while the order is paused', async () => {
    const page = await openOrder('demo-order-shared');
    const { pathname } = new URL(page.url());
    const workflowID = pathname.split('/').at(-1)!;
    await page.context().clearCookies();
    const other = await console.open('executor', pathname, withClock);
    await console.host.call('admin', 'POST', `/instances/${workflowID}/suspend`, {});
    const refused = page.waitForResponse((response) => response.status() === 409);
    await Promise.all([runDemoWorker(page).click(), runDemoWorker(other).click()]);
    await refused;
    await console.host.call('admin', 'POST', `/instances/${workflowID}/resume`);
    await Promise.all([untilCompleted(page), untilCompleted(other)]);
  });

  it('is not offered for other instances of the process', async () => {
    const page = await openOrder('order-of-a-customer');
    await page.locator('.djs-element').first().waitFor();
    expect(await runDemoWorker(page).count()).toBe(0);
  });

  it('does no job of other instances, even of the same type', async () => {
    const customer = { orderID: 'real', total: 120, items: [] };
    const other = await console.host.start(definitionID, customer, 'real');
    const page = await openOrder('demo-order-beside');
    await runDemoWorker(page).click();
    await untilCompleted(page);
    const { data } = await console.host.call('viewer', 'GET', `/instances/${other}/external-jobs`);
    expect(data).toMatchObject([{ taskType: 'reserve-stock', status: 'PENDING' }]);
  });
});
