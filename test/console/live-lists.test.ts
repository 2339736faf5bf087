import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { scriptTask, sequenceModel, userTask } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 90_000 });

/** While a list follows the feed, it is polled once a minute. */
const SOON_MS = 20_000;

describe.skipIf(reasonToSkip)('lists of a project with an event feed', () => {
  const console = useConsole();
  let definitionID: string;

  beforeAll(async () => {
    definitionID = await console.host.deploy('approve.bpmn', sequenceModel('approve', [userTask('Approve')]));
    await console.host.changeSettings({ eventRetention: 'P1D' });
  });

  /** Opens a list and waits until it follows the feed. */
  async function openFollowing(address: string): Promise<Page> {
    let requested: Promise<Request> | undefined;
    const page = await console.open('executor', `/console/projects/demo${address}`, async (opened) => {
      requested = opened.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/events'));
    });
    await (await requested!).response();
    return page;
  }

  it.each([
    ['instances', '/instances'],
    ['user tasks', '/tasks?view=all'],
  ])('show new %s as soon as they begin', async (_what, address) => {
    const page = await openFollowing(address);
    for (const businessId of [`first of ${address}`, `second of ${address}`, `third of ${address}`]) {
      await console.host.start(definitionID, {}, businessId);
      await page.getByText(businessId).waitFor({ timeout: SOON_MS });
    }
  });

  it('are live in five tabs with one stream, which another tab takes over when its own is closed', async () => {
    const readers: Page[] = [];
    const openTab = async () => {
      const page = await console.open('executor', '/console/projects/demo/instances', async (opened) =>
        opened.on('request', (request) => {
          if (new URL(request.url()).pathname.endsWith('/events')) readers.push(opened);
        }),
      );
      await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor();
      return page;
    };
    const tabs = [await openTab()];
    await vi.waitFor(() => expect(readers).toHaveLength(1), { timeout: SOON_MS });
    for (let count = 1; count < 5; count += 1) tabs.push(await openTab());
    await console.host.start(definitionID, {}, 'seen in five tabs');
    for (const tab of tabs) await tab.getByText('seen in five tabs').waitFor({ timeout: SOON_MS });
    expect(readers).toEqual([tabs[0]]);

    await tabs[0]!.close();
    await vi.waitFor(() => expect(readers).toHaveLength(2), { timeout: SOON_MS });
    await console.host.start(definitionID, {}, 'seen in four tabs');
    for (const tab of tabs.slice(1)) await tab.getByText('seen in four tabs').waitFor({ timeout: SOON_MS });
    expect(readers).toHaveLength(2);
  });

  it('show a burst with few requests', async () => {
    const quick = await console.host.deploy('quick.bpmn', sequenceModel('quick', [scriptTask('One', '=1', 'one')]));
    const page = await openFollowing('/instances');
    let requests = 0;
    page.on('request', (request) => {
      if (/\/bpmn\/instances\?/.test(request.url())) requests += 1;
    });
    const begun = Date.now();
    await Promise.all(Array.from({ length: 40 }, (_, index) => console.host.start(quick, {}, `burst-${index}`)));
    await page.getByText('burst-39').waitFor();
    const seconds = Math.ceil((Date.now() - begun) / 1_000);
    expect(requests).toBeLessThanOrEqual(seconds + 3);
  });
});
