import { replaceSettings } from '../../../store/processes/settings.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { problem } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { processSettings, putProcessSettingsRequest } from './shared/schemas.js';
import { compileKey, fromSettings, toSettings } from './shared/settings.js';

export const putBpmnProcessSettings = defineOperation({
  operationID: 'PutBpmnProcessSettings',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/processes/{processID}/settings',
  role: 'admin',
  records: {
    entry: 'within',
    says: ({ body: { reason: _reason, ...settings } }) => ({ names: Object.keys(settings) }),
  },
  summary: 'Replace the settings of a process',
  description:
    'For root instances of all versions; called instances and test instances are never counted or refused. `uniqueBusinessId` refuses a start whose business id a running instance has (RUNNING), or any that is kept (EVER). ' +
    '409 while instances violate it: `details.businessIds` has the first five. `concurrentInstances` is the most instances that run at once for each value of `concurrencyKey`, a FEEL expression over the start variables that is evaluated once. ' +
    'With `whenFull: QUEUE`, further instances wait for a place, oldest first, and REFUSE returns 409. Starts by messages, signals, timers, and conditions always wait. At most `maxQueued` instances of the process wait; messages and signals above that are kept, and ticks of timers are skipped and counted. ' +
    'Members that are left out get their default.',
  request: { params: { processID: modelIdentifier }, body: putProcessSettingsRequest },
  responses: { 200: { description: 'Settings replaced', schema: processSettings } },
  problems: ['CONFLICT'],
}).handle(async ({ params: { projectID, processID }, body, audit, context }) => {
  const key = compileKey(body.concurrencyKey);
  if ('problem' in key) return problem('BAD_REQUEST', `concurrencyKey: ${key.problem}`);
  const settings = fromSettings(body);
  const replaced = await replaceSettings(context.store, {
    projectID,
    processID,
    settings: { ...settings, concurrencyKeyTree: key.tree },
    audit,
  });
  return replaced.kind === 'refused' ? refusalProblem(replaced) : { status: 200, body: toSettings(settings) };
});
