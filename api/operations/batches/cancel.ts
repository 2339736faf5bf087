import { cancelBatch } from '../../../store/batches/control.js';
import { defineControl } from './shared/control.js';

export const cancelBpmnBatch = defineControl({
  operationID: 'CancelBpmnBatch',
  verb: 'cancel',
  summary: 'Cancel a batch',
  description:
    'No further item is begun after the response; at most 50 that are begun are finished, and all others are canceled. What was done stays. Canceling a canceled batch changes nothing. 409: it is completed. Batches that suspend, resume, or modify need the role admin.',
  done: 'Batch canceled',
  change: cancelBatch,
});
