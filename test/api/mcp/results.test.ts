/** Results of tools. */
import { expect, it } from 'vitest';
import { jsonResult } from '../../../api/mcp/call-tool.js';

it('a result has the answer as text and as it is, not another copy of it', () => {
  const answer = { data: [{ id: 1, at: new Date(0) }] };
  const { content, structuredContent } = jsonResult(answer);
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(answer) }]);
  expect(structuredContent).toBe(answer);
});
