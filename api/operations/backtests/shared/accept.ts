/** Accepts a backtest, with its audit entry and once per Idempotency-Key. */
import type { z } from 'zod';
import { writeEntry, type AuditDraft } from '../../../../store/audit/entries.js';
import { createBacktest, type BacktestRequest } from '../../../../store/backtests/create.js';
import type { KeyedRequest } from '../../../../store/projects/idempotency.js';
import type { Database } from '../../../../store/sql/database.js';
import { withIdempotencyKey, type Attempt } from '../../../commands/with-idempotency-key.js';
import type { ApiContext } from '../../../context.js';
import type { acceptedBacktest } from './schemas.js';

type Accepted = z.output<typeof acceptedBacktest>;

export async function acceptBacktest(
  context: ApiContext,
  request: BacktestRequest,
  { idempotency, audit }: { idempotency: KeyedRequest | undefined; audit: AuditDraft | undefined },
): Promise<{ status: 202; body: Accepted }> {
  const accept = async (database: Database): Promise<Attempt<undefined, never>> => {
    const accepted = await createBacktest(database, request);
    if (audit) await writeEntry(database, request.projectID, { ...audit, details: { ...audit.details, ...accepted } });
    return { kind: 'done', effect: undefined, answer: { status: 202, body: { ...accepted } } };
  };
  // The backtest and its audit entry are two statements, so a request without a key needs a transaction too.
  const result = idempotency
    ? await withIdempotencyKey(context, idempotency, accept)
    : await context.store.transaction(accept);
  if (result.kind === 'nothing') return result.refused;
  return { status: 202, body: result.answer.body as Accepted };
}
