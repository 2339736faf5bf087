import { processModel, scriptTask, serviceTask } from '../../support/bpmn-models.js';

/** Does a job again and again until it has been done `rounds` times. */
export const jobLoop = processModel(
  'jobLoop',
  `<bpmn:startEvent id="start"/>${scriptTask('begin', '=0', 'done')}<bpmn:exclusiveGateway id="again"/>${serviceTask('work')}${scriptTask('count', '=done + 1', 'done')}<bpmn:exclusiveGateway id="enough" default="more"/><bpmn:endEvent id="end"/>`,
  'a: start -> begin\nb: begin -> again\nc: again -> work\nd: work -> count\ne: count -> enough\nmore: enough -> again\nf: enough -> end =done >= rounds',
);
