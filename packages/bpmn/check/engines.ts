/** Engines whose extensions affect execution; other tools only store their own notes in a file. */

/** Engines whose call activities pass only mapped variables. */
export const MAPPING_ENGINES: readonly string[] = [
  'http://camunda.org/schema/1.0/bpmn',
  'http://operaton.org/schema/1.0/bpmn',
  'http://activiti.org/bpmn',
  'http://flowable.org/bpmn',
];
export const ENGINES: readonly string[] = [...MAPPING_ENGINES, 'http://www.jboss.org/drools'];
