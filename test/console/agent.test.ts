import { describe, expect, it, vi } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { adHocSubProcess, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { insertTurns } from './support/agent-turns.js';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

const inputs = { url: 'https://models.example.invalid/v1', model: 'm', goal: 'Help' };
const tools = [serviceTask('search', { name: 'Search orders' })];
const agent = adHocSubProcess('agent', tools, [], { name: 'Support agent', job: 'perdure:agent', inputs });

describe.skipIf(reasonToSkip)('the tab of an agent', () => {
  const console = useConsole();

  it('shows its turns with tools, tokens, costs, and times', async () => {
    const workflowID = await console.host.start(
      await console.host.deploy('helped.bpmn', sequenceModel('helped', [agent])),
    );
    await insertTurns(console.host.databaseUrl, workflowID, 'agent', 'search');
    const page = new InstancePage(await console.open('viewer', InstancePage.address(workflowID)));
    await page.openTab('Agent');
    const first = page.row('I look it up.');
    await first.getByText('Search orders').waitFor();
    await first.getByText('There is no tool of this name.').waitFor();
    await first.getByText('Approved', { exact: true }).waitFor();
    await first.getByText('1.2 s').waitFor();
    await first.getByRole('cell', { name: '1,400', exact: true }).waitFor();
    await page.page.getByRole('columnheader', { name: 'Started' }).waitFor();
    await first.getByText('No price').waitFor();
    const all = page.page.getByRole('region', { name: 'All turns' });
    await all.getByText('2,900').waitFor();
    await all.getByText('Turns without a cost').waitFor();

    const price = { model: 'small', inputPerMillion: 0.1, outputPerMillion: 0.3, currency: 'EUR' };
    await console.host.changeSettings({ agentPrices: [price] });
    await page.page.reload();
    await first.getByText('0.0001505 EUR').waitFor();
    await all.getByText('0.0003041 EUR').waitFor();
    expect(await all.getByText('Turns without a cost').count()).toBe(0);
    expect(await first.getByRole('group', { name: 'Call of search' }).innerText()).toContain('arguments');
    await page.row('It arrives tomorrow.').waitFor();
    await page.page.goto(`${console.host.url}${InstancePage.address(workflowID)}?tab=agent&at=0`);
    await page.page.getByText('Not asked yet at this step').first().waitFor();
    expect(await page.page.getByText('It arrives tomorrow.').count()).toBe(0);
    await page.page.getByRole('button', { name: 'Back to now' }).click();
    await page.row('It arrives tomorrow.').waitFor();
    await checkScreen(page.page, 'instance-agent');
    await page.page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page.page, 'instance-agent-narrow');
  });

  it('asks a person to approve a call, in the form that the compiler makes', async () => {
    const asking = adHocSubProcess('agent', tools, [], {
      job: 'perdure:agent',
      inputs: { ...inputs, approve: '=["search"]' },
    });
    const { processes } = await compile(sequenceModel('asking', [asking]));
    const [form] = Object.values(processes[0]!.forms!.embedded!);
    const variables = {
      tool: 'Search orders',
      arguments: { orderID: 'order-7' },
      why: 'The customer asks for the parcel.',
    };
    const task = userTask('approve', { name: 'Approve Search orders', formID: 'approval' });
    const definitionID = await console.host.deployBundle({
      'approval.bpmn': sequenceModel('approval', [task]),
      'approval.form': JSON.stringify({ ...(JSON.parse(form!) as object), id: 'approval' }),
    });
    const executionKey = await console.host.openTask(await console.host.start(definitionID, variables));
    const page = await console.open('executor', `/console/projects/demo/tasks/${encodeURIComponent(executionKey)}`);
    await page.getByText('order-7').first().waitFor();
    await checkScreen(page, 'agent-approval');
    await page.setViewportSize({ width: 420, height: 900 });
    await checkScreen(page, 'agent-approval-narrow');
  });

  it('says that there are none yet, and is not there without an agent', async () => {
    const asked = await console.host.start(await console.host.deploy('asked.bpmn', sequenceModel('asked', [agent])));
    const page = new InstancePage(await console.open('viewer', InstancePage.address(asked)));
    await page.openTab('Agent');
    await page.page.getByText('Each request of Support agent to its model appears here.').waitFor();
    const plain = await console.host.start(
      await console.host.deploy('plain.bpmn', sequenceModel('plain', [userTask('Approve')])),
    );
    await page.page.goto(`${console.host.url}${InstancePage.address(plain)}`);
    await page.page.getByRole('tab', { name: 'History' }).waitFor();
    expect(await page.page.getByRole('tab', { name: 'Agent' }).count()).toBe(0);
  });
});
