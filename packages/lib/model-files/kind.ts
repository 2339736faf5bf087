/** The kind of a model file, by the end of its name. */
export type ModelKind = 'BPMN' | 'DMN' | 'FORM' | 'TEMPLATE';

const KINDS: Readonly<Record<string, ModelKind>> = {
  bpmn: 'BPMN',
  dmn: 'DMN',
  form: 'FORM',
  'template.json': 'TEMPLATE',
};

/** For messages. */
export const MODEL_NAMES = '.bpmn, .dmn, .form, or .template.json';

/** Undefined for a file that is not a model. */
export function modelKind(name: string): ModelKind | undefined {
  const end = /\.(bpmn|dmn|form|template\.json)$/i.exec(name)?.[1];
  return end === undefined ? undefined : KINDS[end.toLowerCase()];
}
