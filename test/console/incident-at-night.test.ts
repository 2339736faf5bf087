/** The walk of docs/operations/runbook.md, "An incident at three in the morning", with the console alone. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { endEvent, processModel, scriptTask, startEvent } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 120_000 });

/** A price with its tax, by an expression that has to name the variable as the callers do: `tax_rate`. */
const pricing = (rate: string) =>
  processModel(
    'price-order',
    [
      startEvent('Start'),
      scriptTask('AddTax', `=total * (1 + ${rate})`, 'gross', { name: 'Add tax' }),
      endEvent('End'),
    ],
    'Start -> AddTax -> End',
  );

describe.skipIf(reasonToSkip)('an incident at three in the morning', () => {
  const console = useConsole();
  const workflowIDs: string[] = [];

  beforeAll(async () => {
    const definitionID = await console.host.deploy('pricing.bpmn', pricing('taxRate'));
    for (const total of [120, 80, 9000])
      workflowIDs.push(await console.host.start(definitionID, { total, tax_rate: 0.2 }, `order-${total}`));
    await vi.waitFor(
      async () => expect((await console.host.call('viewer', 'GET', '/incidents?status=open')).pagination.total).toBe(3),
      { timeout: 20_000 },
    );
  });

  it('is found, understood, corrected for all instances, and resolved with the console alone', async () => {
    const page = await console.open('admin', '/console/projects/demo');
    const goTo = (screen: string) =>
      page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();

    await goTo('Incidents');
    await page.getByText('There is no variable named').first().waitFor();
    await page.getByRole('button', { name: 'Show 3 instances' }).click();
    await page.getByRole('link', { name: workflowIDs[2]! }).click();
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('tabpanel').getByText('tax_rate').first().waitFor();

    await goTo('Processes');
    await page.getByRole('link', { name: 'price-order' }).first().click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Suspend this version' }).click();
    await dialog.getByLabel('Reason').fill('unknown variable taxRate');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('button', { name: 'Resume this version' }).waitFor();

    await goTo('Deployments');
    await page.getByRole('link', { name: 'Deploy', exact: true }).click();
    await page.getByLabel('Model files').setInputFiles({
      name: 'pricing.bpmn',
      mimeType: 'application/xml',
      buffer: Buffer.from(pricing('tax_rate')),
    });
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor();

    await page.getByRole('table', { name: 'Versions' }).getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Migrate instances' }).click();
    await dialog.getByLabel('Target version').selectOption({ label: 'Version 2 (pricing.bpmn)' });
    await dialog.getByRole('button', { name: 'Validate' }).click();
    await dialog.getByText('Checked 3 instances.').waitFor();
    await dialog.getByRole('button', { name: 'Migrate', exact: true }).click();
    await page.getByText('Completed: 3 migrated, 0 refused, 0 pending of 3.').waitFor();

    await page.getByRole('button', { name: 'Resume this version' }).click();
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Suspend this version' }).waitFor();

    await goTo('Incidents');
    await page.getByRole('button', { name: 'Resolve all 3' }).click();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3 of 3 retried.').waitFor();
    await page.getByRole('heading', { name: 'No open incident' }).waitFor();

    for (const [index, gross] of [144, 96, 10_800].entries())
      expect(await console.host.call('viewer', 'GET', `/instances/${workflowIDs[index]}`)).toMatchObject({
        status: 'COMPLETED',
        variables: { gross },
      });
  });
});
