import type { Turns } from '@perdure/lib/fair-turns.js';
import { findDelivery } from '../../../store/hooks/deliveries.js';
import { findHook, type Hook } from '../../../store/hooks/hooks.js';
import { namesIn } from '../../hooks/publish.js';
import { matchNow, tooManyKept } from '../../hooks/receive.js';
import { evaluateAgain, isWhole, recordAgain, type Redelivered, type WholeDelivery } from '../../hooks/redeliver.js';
import { recorded, type Audited } from '../../audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toDelivery } from './shared/hook.js';
import { delivery } from './shared/schemas.js';

/** How often a hook may be changed during one request. */
const MAX_ATTEMPTS = 3;

export const redeliverHookDelivery = defineOperation({
  operationID: 'RedeliverHookDelivery',
  method: 'POST',
  path: '/projects/{projectID}/hooks/{hookID}/deliveries/{deliveryID}/redeliver',
  role: 'editor',
  records: { entry: 'within', says: ({ params: { deliveryID } }) => ({ details: { deliveryID } }) },
  summary: 'Deliver a failed delivery again',
  description:
    'Evaluates the expressions that the hook has now over the body, headers, and query that were received, and gives the record its new outcome, which may be FAILED again. The signature is not verified again. Idempotency keys count as for any delivery. Needs a FAILED delivery whose body was kept whole: of at most 64 KiB, in UTF-8, and among the newest 1,000 failures. Of several requests at once, one delivers, and the others return 409. A disabled hook returns 409.',
  request: { params: { hookID: uuid, deliveryID: uuid } },
  responses: { 200: { description: 'Delivery with its new outcome', schema: delivery } },
  problems: ['CONFLICT'],
}).handle(async (input) => {
  const { projectID, hookID, deliveryID } = input.params;
  const { store } = input.context;
  const given = await findDelivery(store, hookID, deliveryID);
  for (let attempt = 1; ; attempt += 1) {
    const hook = await findHook(store, projectID, hookID);
    if (hook === undefined || given === undefined)
      return notFound(`no delivery ${deliveryID} of a hook ${hookID} in project ${projectID}`);
    if (!hook.enabled) return problem('CONFLICT', 'The hook is disabled. Enable it, then deliver again.');
    if (given.outcome !== 'FAILED')
      return problem('CONFLICT', `The delivery is ${given.outcome}. Only a FAILED one can be delivered again.`);
    if (!isWhole(given)) return problem('CONFLICT', notWhole);
    const answer = await deliver(input, hook, given);
    if (answer !== 'changed') return answer;
    if (attempt === MAX_ATTEMPTS)
      return problem('CONFLICT', 'The hook is being changed. Deliver again when its changes are complete.');
  }
});

const notWhole =
  'The body of the delivery was not kept whole: only bodies of at most 64 KiB in UTF-8 are, for the newest 1,000 failures. Ask its sender to send it again.';

/** `changed`: the hook was changed after the evaluation, and nothing was done. */
async function deliver(input: Audited & { turns: Turns }, hook: Hook, given: WholeDelivery) {
  const now = Date.now();
  const evaluated = await evaluateAgain(hook, given, now, input.turns);
  let done: Redelivered | undefined;
  const answer = await recorded(input, async (store) => {
    done = await recordAgain(store, hook, given, { evaluated, now });
    switch (done.kind) {
      case 'quota':
        return tooManyKept();
      // Rolled back; in the second case the caller tries again.
      case 'taken':
      case 'changed':
        return problem(
          'CONFLICT',
          'Another request has just delivered it again, or newer failures have displaced its body',
        );
      case 'redelivered': {
        const { outcome, publicationID } = done.delivery;
        const body = toDelivery(done.delivery);
        return {
          status: 200 as const,
          body,
          audit: { ...(publicationID !== null && { names: namesIn(evaluated) }), details: { outcome } },
        };
      }
    }
  });
  if (done?.kind === 'changed') return 'changed';
  if (done?.kind === 'redelivered') await matchNow(input.context, hook.projectID, done.channel);
  return answer;
}
