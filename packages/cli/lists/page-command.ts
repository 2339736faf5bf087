/** Commands that show one page of a list that has no filters. */
import { exitCodes, type Command } from '../command.js';
import type { Host } from '../host.js';
import { pageOptions, pageQuery, showPage, type Cell, type Page, type PageQuery } from './paging.js';

interface PageCommand<Item> extends Pick<Command, 'name' | 'role' | 'summary' | 'details' | 'examples'> {
  /** The operand that names the owner of the list, such as `HOOK_ID`. Absent for lists of the project. */
  of?: string;
  /** Of one item. */
  noun: string;
  /** @param owner the value of the operand */
  read(host: Host, query: PageQuery, owner: string): Promise<Page<Item>>;
  columns: { readonly [head: string]: (item: Item) => Cell };
}

export function pageCommand<Item>({ of, noun, read, columns, ...described }: PageCommand<Item>): Command {
  const operands = of === undefined ? 0 : 1;
  return {
    ...described,
    operands: of ?? '',
    minOperands: operands,
    maxOperands: operands,
    options: { ...pageOptions },
    async run(invocation) {
      const query = pageQuery(invocation);
      const page = await read(await invocation.host(), query, invocation.operands[0] ?? '');
      showPage(invocation.terminal, page, noun, columns);
      return exitCodes.done;
    },
  };
}
