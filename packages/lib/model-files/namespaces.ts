/** XML namespaces of BPMN files. */

export const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
/** The extensions of Camunda 8, which are Perdure's. */
export const ZEEBE = 'http://camunda.org/schema/zeebe/1.0';
/** Perdure's extensions besides those of Camunda 8. */
export const PERDURE = 'urn:perdure:bpmn';
/** Notes of Camunda Modeler. */
export const MODELER = 'http://camunda.org/schema/modeler/1.0';
export const JBPM = 'http://www.jboss.org/drools';

/** Engines that descend from Activiti: their files are converted, and their call activities pass only mapped variables. */
export const ACTIVITI_ENGINES: readonly string[] = [
  'http://camunda.org/schema/1.0/bpmn',
  'http://operaton.org/schema/1.0/bpmn',
  'http://activiti.org/bpmn',
  'http://flowable.org/bpmn',
];

/** Engines whose extensions affect execution; other tools only store notes in a file. */
export const FOREIGN_ENGINES: readonly string[] = [...ACTIVITI_ENGINES, JBPM];
