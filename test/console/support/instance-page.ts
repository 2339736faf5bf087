/** The page of one instance. */
import type { Locator, Page } from 'playwright-core';

export class InstancePage {
  constructor(readonly page: Page) {}

  /** The address of an instance of project `demo`. */
  static address(workflowID: string, query = ''): string {
    return `/console/projects/demo/instances/${encodeURIComponent(workflowID)}${query}`;
  }

  /** A mark of the diagram: the text on it says how many. */
  mark(nodeID: string, kind: 'token' | 'paused' | 'incident'): Locator {
    return this.page.locator(`[data-container-id="${nodeID}"] [data-mark="${kind}"]`);
  }

  /** The drawing of a node. */
  node(nodeID: string): Locator {
    return this.page.locator(`.djs-element[data-element-id="${nodeID}"]`).first();
  }

  /** The drawing of a node on its own diagram, in a dialog. */
  static nodeIn(diagram: Locator, nodeID: string): Locator {
    return diagram.locator(`.djs-element[data-element-id="${nodeID}"]`).first();
  }

  async openTab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name }).click();
  }

  row(text: string): Locator {
    return this.page.getByRole('tabpanel').locator('tbody tr').filter({ hasText: text });
  }

  /** Presses a button and answers the dialog that it opens. */
  async ask(button: string | Locator): Promise<Locator> {
    await (typeof button === 'string' ? this.page.getByRole('button', { name: button, exact: true }) : button).click();
    return this.page.getByRole('dialog');
  }

  /** The sentence about something that has just been done. */
  said(sentence: string | RegExp): Locator {
    return this.page.getByRole('status').getByText(sentence);
  }
}
