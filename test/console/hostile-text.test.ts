import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';
import {
  bpmnProcess,
  definitions,
  element,
  escape,
  parallelGateway,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { shape, withDiagram } from './support/files.js';
import { InstancePage } from './support/instance-page.js';

vi.setConfig({ testTimeout: 90_000 });

/** An element that would run a script, short enough to be shown whole. `place` tells one from the other. */
const hostile = (place: string) => `<img src=x onerror=attacked('${place}')>`;
/** Whatever else is taken for more than text somewhere. */
const manifold = (place: string) =>
  `${hostile(place)}<svg onload="attacked('${place}')">\${attacked('${place}')} {{attacked('${place}')}} javascript:attacked('${place}')`;

/** Waiting for a job worker and for a person; what it is called, and what describes it, is hostile. */
const file = withDiagram(
  definitions(
    bpmnProcess(
      'hostile',
      [
        element('documentation', {}, escape(manifold('documentation'))),
        startEvent('Start', '', { name: hostile('start') }),
        parallelGateway('Fork'),
        serviceTask('Work', { name: hostile('job'), type: hostile('type') }),
        userTask('Ask', { name: hostile('task'), assignee: hostile('assignee') }),
      ],
      ['Start -> Fork -> Work', 'Fork -> Ask'],
      { name: hostile('process') },
    ),
  ),
  'hostile',
  ['Start', 'Fork', 'Work', 'Ask'].map((id, index) => shape(id, 150 * index, 0)),
);

/** Records every sign of an injection: a script that ran, and violations of the content security policy. */
const watch = `
  window.attacks = [];
  window.attacked = (place) => window.attacks.push(place);
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => window.attacks.push(violatedDirective + ' ' + blockedURI));`;

describe.skipIf(reasonToSkip)('text from outside is text', () => {
  const console = useConsole();
  const poll = {
    taskType: hostile('type'),
    clientID: hostile('worker'),
    maxJobs: 1,
    lockDuration: '10m',
    timeout: '0s',
  };
  let workflowID: string;

  beforeAll(async () => {
    const { host } = console;
    const definitionID = await host.deploy(hostile('resource'), file);
    workflowID = await host.start(
      definitionID,
      { [hostile('name')]: manifold('value'), nested: { list: [manifold('element')] } },
      hostile('id'),
    );
    const executionKey = await vi.waitFor(
      async () => {
        const [job] = await host.call('executor', 'POST', '/external-jobs/poll', poll);
        return job.executionKey as string;
      },
      { timeout: 30_000 },
    );
    await host.call('executor', 'POST', `/external-jobs/${executionKey}/error`, {
      clientID: poll.clientID,
      errorCode: hostile('code'),
      errorMessage: manifold('message'),
      retryable: false,
    });
    await vi.waitFor(
      async () => expect((await host.call('viewer', 'GET', `/instances/${workflowID}`)).incidents).toHaveLength(1),
      { timeout: 30_000 },
    );
    await host.call('admin', 'POST', `/instances/${workflowID}/suspend`, { reason: manifold('reason') });
  });

  const screens: [what: string, address: () => string, places: string[]][] = [
    ['the list of instances', () => '/console/projects/demo/instances', ['id', 'process']],
    [
      'the diagram and the history of an instance',
      () => InstancePage.address(workflowID),
      ['job', 'reason', 'id', 'process'],
    ],
    ['its variables', () => InstancePage.address(workflowID, '?tab=variables'), ['name', 'value']],
    ['its incidents', () => InstancePage.address(workflowID, '?tab=incidents'), ['code', 'message']],
    ['its jobs', () => InstancePage.address(workflowID, '?tab=jobs'), ['job', 'type']],
    ['its tasks', () => InstancePage.address(workflowID, '?tab=tasks'), ['task', 'assignee']],
    ['its timeline', () => InstancePage.address(workflowID, '?tab=timeline'), ['reason']],
    ['a step of its replay', () => InstancePage.address(workflowID, '?at=5&tab=variables'), ['name', 'value']],
    // The message of a group has `…` for quoted text.
    ['the incidents of all instances', () => '/console/projects/demo/incidents', ['code']],
    ['the tasks', () => '/console/projects/demo/tasks?view=all', ['id']],
    ['the queues', () => '/console/projects/demo/jobs', ['type', 'worker']],
    ['the processes', () => '/console/projects/demo/processes', ['process']],
    ['a process', () => '/console/projects/demo/processes/hostile', ['process', 'resource']],
    [
      'the results of a search',
      () => `/console/projects/demo/search?q=${encodeURIComponent('nested != null')}`,
      ['id', 'element'],
    ],
    [
      'the address',
      () =>
        `/console/projects/demo/instances?businessId=${encodeURIComponent(manifold('address'))}&status=${encodeURIComponent(manifold('status'))}`,
      [],
    ],
    [
      'the response of the provider',
      () =>
        `/console/callback?error=access_denied&error_description=${encodeURIComponent(manifold('description'))}&state=unknown`,
      [],
    ],
  ];
  async function open(address: string): Promise<Page> {
    const prepare = async (page: Page) => {
      await page.addInitScript(watch);
      page.on('dialog', (dialog) => dialog.accept());
    };
    if (!address.startsWith('/console/callback')) return console.open('admin', address, prepare);
    const page = await console.newPage();
    await prepare(page);
    await page.goto(`${console.host.url}${address}`);
    return page;
  }

  it.each(screens)('on %s', async (_, address, places) => {
    // A worker is shown for a minute after it has asked.
    await console.host.call('executor', 'POST', '/external-jobs/poll', poll);
    const page = await open(address());
    for (const place of places) await page.getByText(`attacked('${place}')`).first().waitFor({ state: 'attached' });
    await page.getByRole('heading').first().waitFor();
    expect(await page.locator('img, [onload], [onerror], a[href^="javascript:" i]').count()).toBe(0);
    expect(await page.evaluate<string[]>('window.attacks')).toEqual([]);
  });
});
