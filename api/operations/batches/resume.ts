import { resumeBatch } from '../../../store/batches/control.js';
import { defineControl } from './shared/control.js';

export const resumeBpmnBatch = defineControl({
  operationID: 'ResumeBpmnBatch',
  verb: 'resume',
  summary: 'Resume a paused batch',
  description:
    'Resuming a running batch changes nothing. 409: it has ended. Batches that suspend, resume, or modify need the role admin.',
  done: 'Batch resumed',
  change: resumeBatch,
});
