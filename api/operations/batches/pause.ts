import { pauseBatch } from '../../../store/batches/control.js';
import { defineControl } from './shared/control.js';

export const pauseBpmnBatch = defineControl({
  operationID: 'PauseBpmnBatch',
  verb: 'pause',
  summary: 'Pause a batch',
  description:
    'No further item is begun after the response; at most 50 that are begun are finished. Pausing a paused batch changes nothing. 409: it has ended. Batches that suspend, resume, or modify need the role admin.',
  done: 'Batch paused',
  change: pauseBatch,
});
