import { endEvent, exclusiveGateway, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';

/** Does a job again and again until it has been done `rounds` times. */
export const jobLoop = processModel(
  'jobLoop',
  [
    startEvent('start'),
    scriptTask('begin', '=0', 'done'),
    exclusiveGateway('again'),
    serviceTask('work'),
    scriptTask('count', '=done + 1', 'done'),
    exclusiveGateway('enough', { default: 'more' }),
    endEvent('end'),
  ],
  [
    'a: start -> begin',
    'b: begin -> again',
    'c: again -> work',
    'd: work -> count',
    'e: count -> enough',
    'more: enough -> again',
    'f: enough -> end =done >= rounds',
  ],
);
