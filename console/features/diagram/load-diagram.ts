/** Fetches the viewer, which is heavy, before the first diagram is shown. */
export const loadDiagram = () => import('./bpmn-diagram.js');
