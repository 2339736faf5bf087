/** Forms and values of other people in the console: deceptive at most inside their field. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonToSkip } from './support/browser.js';
import { useConsole } from './support/console.js';
import { startFormFiles, taskFormFiles } from './support/form-files.js';

vi.setConfig({ testTimeout: 90_000 });

const covering =
  'position:fixed; inset:0; z-index:2147483647; width:200vw; height:200vh; background:#c00; pointer-events:none';
const escaping = `
  <style>:root .cover, .cover { ${covering} }</style>
  <div class="cover" id="cover-by-sheet" style="${covering}">Your session has expired</div>
  <div style="position:absolute; top:-500px; left:-500px; ${covering}">Sign in again</div>
  <dialog open>Dialog text</dialog>
  <div popover id="pop">Popover text</div><button popovertarget="pop">Open the popover</button>
  <form action="https://evil.example/"><input name="password" type="password"></form>
  <svg width="2000" height="2000"><rect width="2000" height="2000"/></svg>
  <a href="https://evil.example/sign-in" target="_self" class="cover">https://bank.example</a>
  <a href="javascript:alert(1)">script link</a>
  <table width="9000"><tbody><tr><td>cell</td></tr></tbody></table>`;

const markdownValue =
  '# Heading\n\n[click](https://evil.example) ![i](data:image/gif;base64,R0lGODlhAQABAAAAACw=) <b>bold</b> www.evil.example a@evil.example';

const hostile = (type: string) => `${type} <img src=x onerror=alert(1)> {{evil}} [x](https://evil.example)`;
const choices = [{ label: hostile('choice'), value: 'a' }];
/** Every component of form-js that shows text of the form or of a variable. */
const components = [
  { type: 'html', id: 'Html', content: `<p>Page: {{evil}}</p>${escaping}` },
  {
    type: 'text',
    id: 'Text',
    text: `Author: **bold** [docs](https://docs.example/a)\n\nValue: {{evil}}\n\n${escaping}`,
  },
  { type: 'text', id: 'Whole', text: '=evil' },
  ...['textfield', 'textarea', 'number', 'datetime', 'checkbox', 'expression', 'filepicker'].map((type) => ({
    type,
    id: `C_${type}`,
    key: `c_${type}`,
    label: hostile(type),
    description: hostile('description'),
    ...(type === 'datetime' && { subtype: 'date', dateLabel: hostile('date') }),
    ...(type === 'expression' && { expression: '=evil', computeOn: 'change' }),
  })),
  ...['radio', 'select', 'checklist', 'taglist'].map((type) => ({
    type,
    id: `C_${type}`,
    key: `c_${type}`,
    label: hostile(type),
    values: choices,
  })),
  { type: 'image', id: 'Image', source: 'https://evil.example/i.png', alt: hostile('image') },
  { type: 'iframe', id: 'Frame', url: 'https://evil.example/', label: hostile('iframe'), height: 100 },
  {
    type: 'table',
    id: 'Table',
    label: hostile('table'),
    dataSource: '=rows',
    columns: [{ key: 'a', label: hostile('column') }],
  },
  { type: 'documentPreview', id: 'Documents', label: hostile('documents'), dataSource: '=rows' },
  { type: 'button', id: 'Button', label: hostile('button'), action: 'submit' },
  {
    type: 'group',
    id: 'Group',
    label: hostile('group'),
    components: [{ type: 'text', id: 'Inner', text: 'Inner: {{evil}}' }],
  },
  {
    type: 'dynamiclist',
    id: 'List',
    path: 'rows',
    label: hostile('list'),
    components: [{ type: 'text', id: 'Row', text: 'Row: {{this.a}}' }],
  },
  { type: 'separator', id: 'Line' },
  { type: 'spacer', id: 'Space', height: 40 },
];

describe.skipIf(reasonToSkip)('a hostile form', () => {
  const console = useConsole();
  const address = '/console/projects/demo/processes/hostile-form/start';
  let page: Page;

  beforeAll(async () => {
    await console.host.deployBundle(
      startFormFiles(
        'hostile-form',
        components.filter(({ type }) => !['image', 'iframe'].includes(type)),
      ),
    );
  });

  async function openForm(): Promise<void> {
    page = await console.open('executor', address);
    await page.getByText('Page:').waitFor();
  }

  const inForm = (script: string) =>
    page.evaluate<any>(
      `(() => { const all = [...document.querySelectorAll('.fjs-form-field-html, .fjs-form-field-text')]; return ${script}; })()`,
    );

  it('stays in its own place on the page, whatever its HTML says', async () => {
    await openForm();
    const outside = await inForm(`all.flatMap((field) => {
      const box = field.getBoundingClientRect();
      return [...field.querySelectorAll('*')].map((one) => one.getBoundingClientRect()).filter(({ left, top, width }) => left < box.left - 1 || top < box.top - 1 || width > 5000);
    }).length`);
    expect(outside).toBe(0);
    expect(
      await inForm(
        `all.flatMap((field) => [...field.querySelectorAll('*')]).filter((one) => getComputedStyle(one).position !== 'static').length`,
      ),
    ).toBe(0);
    const top = await page.evaluate<string>(
      `document.elementFromPoint(innerWidth / 2, 20)?.closest('.fjs-container')?.className ?? 'none'`,
    );
    expect(top).toBe('none');
    // The button of the console is on top, so a person clicks the visible one.
    await page.getByRole('button', { name: 'Start', exact: true }).click({ trial: true });
  });

  it('has no style, popover, dialog, field, or frame in its text', async () => {
    await openForm();
    expect(
      await inForm(
        `all.flatMap((field) => [...field.querySelectorAll('style, [style], [class], [id], dialog, [popover], button, input, form, svg, iframe')]).map((one) => one.outerHTML)`,
      ),
    ).toEqual([]);
    expect(await page.getByRole('button', { name: 'Open the popover' }).count()).toBe(0);
  });

  it('shows where its links lead, and opens them without a referrer', async () => {
    await openForm();
    const links = await inForm(
      `all.flatMap((field) => [...field.querySelectorAll('a[href]')]).map((one) => [one.host, one.dataset.goesTo, one.rel, one.target, getComputedStyle(one, '::after').content])`,
    );
    expect(links.length).toBeGreaterThanOrEqual(3);
    for (const [host, shown, rel, target, content] of links) {
      expect([shown, rel, target]).toEqual([host, 'noopener noreferrer', '_blank']);
      expect(content).toContain(host);
    }
  });

  it('is reduced again when its values change', async () => {
    await openForm();
    await page.evaluate(
      `document.querySelector('.fjs-form-field-html').insertAdjacentHTML('beforeend', ${JSON.stringify(escaping)})`,
    );
    expect(await inForm(`all.flatMap((field) => [...field.querySelectorAll('style, [style], dialog')]).length`)).toBe(
      0,
    );
  });
});

describe.skipIf(reasonToSkip)('the value of a variable in a form', () => {
  const console = useConsole();

  it('is text, never a heading, a link, or an image of the author', async () => {
    const { host } = console;
    const texts = components.filter(({ id }) => ['Html', 'Text', 'Whole', 'Group', 'List'].includes(id));
    const workflowID = await host.start(await host.deployBundle(taskFormFiles(texts)), {
      evil: markdownValue,
      rows: [{ a: markdownValue }],
    });
    const task = encodeURIComponent(await host.openTask(workflowID));
    const page = await console.open('executor', `/console/projects/demo/tasks/${task}`);
    await page.getByText('Page:').waitFor();
    const found =
      await page.evaluate<any>(`[...document.querySelectorAll('.fjs-form-field-html, .fjs-form-field-text')].map((field) => ({
      headings: field.querySelectorAll('h1').length, images: field.querySelectorAll('img').length, bold: [...field.querySelectorAll('b')].length,
      links: [...field.querySelectorAll('a[href]')].map(({ textContent }) => textContent), text: field.textContent }))`);
    expect(found).toHaveLength(5);
    for (const { headings, images, bold, links, text } of found) {
      expect([headings, images, bold]).toEqual([0, 0, 0]);
      for (const link of links) expect(['docs', 'https://bank.example']).toContain(link);
      expect(text).toContain('[click](https://evil.example)');
    }
  });
});
