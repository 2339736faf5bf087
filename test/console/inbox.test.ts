import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { element, endEvent, extensions, processModel, startEvent, tag } from '@perdure/testkit/models';
import { reasonToSkip } from './support/browser.js';
import { checkScreen } from './support/check-screen.js';
import { useConsole } from './support/console.js';

vi.setConfig({ testTimeout: 90_000 });

/** A task for the viewer that is due when the start says. */
const file = processModel(
  'errand',
  [
    startEvent('Start'),
    element('userTask', { id: 'Do', name: 'Do the errand' }, [
      extensions([
        tag('zeebe:userTask', {}),
        tag('zeebe:assignmentDefinition', { candidateUsers: 'viewer' }),
        tag('zeebe:taskSchedule', { dueDate: '=due' }),
      ]),
    ]),
    endEvent('End'),
  ],
  'Start -> Do -> End',
);

describe.skipIf(reasonToSkip)('the inbox', () => {
  const console = useConsole();
  const address = '/console/projects/demo/tasks';

  beforeAll(async () => {
    const { host } = console;
    const errand = await host.deploy('errand.bpmn', file);
    const letter = await host.deploy(
      'letter.bpmn',
      file.replaceAll('"errand"', '"letter"').replace('Do the errand', 'Write a letter'),
    );
    const orders = [
      [errand, 'no date', null],
      [errand, 'next week', 'P7D'],
      [errand, 'long overdue', '2020-01-01T00:00:00Z'],
      [letter, 'overdue', '2021-01-01T00:00:00Z'],
    ] as const;
    for (const [definitionID, businessId, due] of orders)
      await host.openTask(await host.start(definitionID, { due }, businessId));
  });

  /** The texts of the rows in the inbox, including the names of groups. */
  const rows = (page: Page) =>
    page
      .getByRole('table', { name: 'Tasks' })
      .locator('tbody tr')
      .evaluateAll((found: { innerText: string }[]) => found.map(({ innerText }) => innerText.trim()));

  it('shows what is overdue before what is due later and what has no date', async () => {
    const page = await console.open('viewer', address);
    await page.getByRole('row', { name: /no date/ }).waitFor();
    const texts = await rows(page);
    expect(texts).toEqual([
      'Overdue',
      expect.stringContaining('long overdue'),
      expect.stringContaining('overdue'),
      'Due later',
      expect.stringContaining('next week'),
      'No due date',
      expect.stringContaining('no date'),
    ]);
    await checkScreen(page, 'inbox');
    await page.setViewportSize({ width: 420, height: 800 });
    await checkScreen(page, 'inbox-narrow');
  });

  it('finds tasks by a part of their name', async () => {
    const page = await console.open('viewer', address);
    await page.getByRole('row', { name: /no date/ }).waitFor();
    await page.getByLabel('Name').fill('lett');
    await page.getByRole('row', { name: /no date/ }).waitFor({ state: 'detached' });
    expect(await rows(page)).toEqual(['Overdue', expect.stringContaining('Write a letter')]);
    await page.getByLabel('Name').fill('nothing like it');
    await page.getByRole('heading', { name: 'No tasks match' }).waitFor();
    await page.getByLabel('Name').fill('le');
    await page.getByRole('row', { name: /no date/ }).waitFor();
  });

  it('shows only what is overdue or unassigned', async () => {
    const page = await console.open('viewer', `${address}?due=overdue`);
    await page.getByRole('row', { name: /long overdue/ }).waitFor();
    expect(await rows(page)).toEqual([
      'Overdue',
      expect.stringContaining('long overdue'),
      expect.stringContaining('overdue'),
    ]);
    await page.getByLabel('Due', { exact: true }).selectOption('Any');
    await page.getByLabel('Assignment').selectOption('Unassigned');
    await page.getByRole('row', { name: /no date/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('unassigned')).toBe('true');
  });

  it('is used by keyboard alone', async () => {
    const page = await console.open('viewer', address);
    await page.getByRole('row', { name: /no date/ }).waitFor();
    const focusedRow = () =>
      page.evaluate<string>('document.activeElement.closest("tr")?.innerText ?? document.activeElement.tagName');
    await page.keyboard.press('j');
    expect(await focusedRow()).toContain('long overdue');
    for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('j');
    expect(await focusedRow()).toContain('no date');
    await page.keyboard.press('k');
    expect(await focusedRow()).toContain('next week');

    await page.keyboard.press('c');
    const row = page.getByRole('row', { name: /next week/ });
    await row.getByRole('button', { name: 'Unclaim' }).waitFor();
    await page.keyboard.press('c');
    expect(await focusedRow()).toContain('next week');

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Claim the task').waitFor();
    await page.keyboard.press('j');
    await checkScreen(page, 'inbox-shortcuts');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    expect(await focusedRow()).toContain('next week');

    await page.getByLabel('Name').focus();
    await page.keyboard.type('jck?');
    expect(await page.getByLabel('Name').inputValue()).toBe('jck?');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await row.waitFor();
    await row.getByRole('link', { name: 'Do the errand' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tasks\/[^/]+$/);
    await page.getByRole('heading', { name: 'Do the errand' }).waitFor();
  });

  it('shows the list and a task side by side, moves by keys, and asks before it loses what was typed', async () => {
    const page = await console.open('viewer', address);
    await page.getByRole('row', { name: /long overdue/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const list = page.getByRole('region', { name: 'Inbox' });
    const opened = () => list.locator('a[aria-current="page"]').innerText();
    await list.getByText('long overdue').waitFor();
    expect(await opened()).toContain('long overdue');
    await checkScreen(page, 'inbox-side-by-side');

    await page.keyboard.press('j');
    await list.locator('a[aria-current="page"]', { hasText: 'Write a letter' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await list.locator('a[aria-current="page"]', { hasText: 'long overdue' }).waitFor();

    await page.getByLabel('Result').waitFor();
    await page.keyboard.press('e');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ "done": true }');
    await list.getByRole('link', { name: /Write a letter/ }).click();
    const question = page.getByRole('dialog', { name: 'Leave the task?' });
    await checkScreen(page, 'inbox-leave-task');
    await question.getByRole('button', { name: 'Stay' }).click();
    // The dialog gives the focus back to the link that opened it, after it has closed.
    await list.locator('a:focus', { hasText: 'Write a letter' }).waitFor();
    expect(await page.getByLabel('Result').inputValue()).toContain('"done": true');
    await page.getByRole('button', { name: 'Complete', exact: true }).focus();
    await page.keyboard.press('Enter');
    await list.locator('a[aria-current="page"]', { hasText: 'Write a letter' }).waitFor();

    await page.setViewportSize({ width: 390, height: 800 });
    await list.waitFor({ state: 'detached' });
    await checkScreen(page, 'inbox-task-narrow');
  });
});
