import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { fileOfErrand } from './support/files.js';
import { filesWithStartForm, startFormFiles } from './support/form-files.js';

vi.setConfig({ testTimeout: 90_000 });

const processes = '/console/projects/demo/processes';

describe.skipIf(reasonToSkip)('the start page of a process', () => {
  const console = useConsole();

  beforeAll(async () => {
    await console.host.deployBundle(filesWithStartForm);
    await console.host.deploy('errand.bpmn', fileOfErrand);
  });

  it('starts an instance with the start form and a business id', async () => {
    const page = await console.open('executor', processes);
    await page.getByRole('link', { name: 'Start order' }).click();
    await page.waitForURL((url) => url.pathname === `${processes}/order/start`);
    await page.getByLabel('Business id').fill('order-17');
    await page.getByLabel('Article').fill('kettle');
    await page.getByLabel('Amount').fill('0');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Field must have minimum value of 1.').waitFor();
    await checkScreen(page, 'start-form');
    await page.setViewportSize({ width: 420, height: 800 });
    await checkScreen(page, 'start-form-narrow');
    await page.getByLabel('Amount').fill('2');
    await page.getByText('Field must have minimum value of 1.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/instances\//);
    const { data } = await console.host.call('viewer', 'GET', '/instances?businessId=order-17');
    expect(data).toHaveLength(1);
    expect(await console.host.call('viewer', 'GET', `/instances/${data[0].workflowID}`)).toMatchObject({
      variables: { article: 'kettle', amount: 2 },
    });
  });

  it('shows what the host refuses at the field that it is about', async () => {
    await console.host.changeSettings({ validateForms: true });
    const page = await console.open('executor', `${processes}/order/start`);
    await page.getByLabel('Article').fill('kettle');
    // A person whose form is older than the one that the host checks.
    await page.route('**/bpmn/instances', (route) => {
      const body = route.request().postDataJSON() as { processDefinitionID: string };
      return route.continue({ postData: JSON.stringify({ ...body, variables: { article: 'kettle', amount: 0 } }) });
    });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('alert').getByText('/variables/amount').waitFor();
    expect(await page.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Article').inputValue()).toBe('kettle');
    await console.host.changeSettings({ validateForms: false });
  });

  it('takes JSON where the process has no start form, and starts nothing while it is none', async () => {
    const page = await console.open('executor', `${processes}/errand/start`);
    await page.getByLabel('Variables').fill('{ "to": ');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('alert').getByText('Invalid JSON').waitFor();
    await page.getByLabel('Variables').fill('{ "to": "town" }');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/instances\//);
  });

  it('has the form of the version whose page led there, also when a newer one has another', async () => {
    const asking = (label: string) =>
      startFormFiles('ticket', [{ type: 'textfield', id: 'Field', key: 'place', label }]);
    const older = await console.host.deployBundle(asking('Seat'));
    await console.host.deployBundle(asking('Row'));
    const page = await console.open('editor', `${processes}/ticket?version=${older}`);
    await page.getByRole('link', { name: 'Start an instance' }).click();
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
    await page.getByLabel('Seat').fill('7b');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/instances\//);
    const { data } = await console.host.call('viewer', 'GET', '/instances?processId=ticket');
    expect(data).toMatchObject([{ definitionID: older, processVersion: 1 }]);
    await page.goto(new URL(`${processes}/ticket/start`, page.url()).href);
    await page.getByLabel('Row').waitFor();
  });

  it('says where the version of the link is one of another process', async () => {
    const { data } = await console.host.call('viewer', 'GET', '/processes/errand/versions');
    const page = await console.open('executor', `${processes}/order/start?version=${data[0].id}`);
    await page.getByRole('heading', { name: 'Process not found' }).waitFor();
  });

  it('starts no instance of a paused version', async () => {
    const definitionID = await console.host.deploy('paused.bpmn', fileOfErrand.replaceAll('"errand"', '"paused"'));
    await console.host.call('admin', 'POST', `/definitions/${definitionID}/suspend`, {});
    const page = await console.open('executor', `${processes}/paused/start`);
    await page.getByText('Version 1 is paused.').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
  });

  it('is not for viewers, and says so', async () => {
    const page = await console.open('viewer', processes);
    await page.getByRole('link', { name: 'order' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Start order' }).count()).toBe(0);
    await page.goto(page.url().replace(/processes$/, 'processes/order/start'));
    await page.getByRole('heading', { name: 'You cannot start instances' }).waitFor();
  });

  it('says where there is no such process', async () => {
    const page = await console.open('executor', `${processes}/unknown/start`);
    await page.getByRole('heading', { name: 'Process not found' }).waitFor();
  });
});
