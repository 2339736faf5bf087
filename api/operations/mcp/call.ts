import { z } from 'zod';
import { listProcessTools } from '../../../store/processes/process-tools.js';
import { defineOperation } from '../../commands/define-operation.js';
import { answerMessage } from '../../mcp/answer-message.js';
import { answer, FOREIGN_ORIGIN, message } from '../../mcp/protocol.js';
import { writeLevels } from '../../mcp/tools.js';

export const callMcp = defineOperation({
  operationID: 'CallMcp',
  method: 'POST',
  path: '/projects/{projectID}/mcp',
  role: 'viewer',
  summary: 'Send a message of the Model Context Protocol',
  description:
    'Takes one JSON-RPC message over streamable HTTP without sessions: versions 2025-06-18 and 2025-11-25 by `initialize`, 2026-07-28 by `server/discover`. ' +
    'The tools are the operations of this API that the role of the caller allows and that only read. With `write=safe` there are also those that change something, but none that erases, redacts, deletes, or migrates, and none for settings, members, or batches; with `write=all` all of them. Start events that are marked as tools are tools as well, for a caller that may start them. ' +
    'A call is an ordinary request with the rights of the token, and is audited as such. A problem is a result with `isError` and the problem document.',
  request: { query: z.strictObject({ write: z.enum(writeLevels).optional() }), body: message },
  responses: {
    200: { description: 'Answer to the message', schema: answer },
    202: { description: 'Notification accepted' },
    400: { description: 'The version or a header of the message is not supported', schema: answer },
    403: { description: 'The page that calls has an origin that `CORS_ORIGINS` does not name', schema: answer },
    404: { description: 'The method of the message does not exist', schema: answer },
  },
  problems: [],
  accepts: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Origin'],
  // Longer than any operation that it calls, whose own deadline applies.
  deadlineSeconds: 150,
}).handle(async ({ params: { projectID }, query: { write }, body, caller, headers, pipeline, context }) => {
  if (headers.origin !== null && !context.corsOrigins.has(headers.origin))
    return { status: 403, body: { jsonrpc: '2.0', error: FOREIGN_ORIGIN } };
  const permission = { caller, projectID, write };
  const { version } = context.build;
  const answered = await answerMessage({
    message: body,
    headers: headers.mcp,
    permission,
    pipeline,
    processTools: () => listProcessTools(context.store, projectID),
    version,
  });
  if (answered.kind === 'notification') return { status: 202 };
  const envelope = { jsonrpc: '2.0' as const, ...(body.id !== undefined && { id: body.id }) };
  if (answered.kind === 'result') return { status: 200, body: { ...envelope, result: answered.result } };
  return { status: answered.status, body: { ...envelope, error: answered.error } };
});
