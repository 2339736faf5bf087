/** The changes of a deployment: which of its files got a new version. */
import type { Schemas } from '../../frame/api/client.js';

export type DeployedFile = Schemas['BpmnDeployedFile'];

const MAX_NAMED = 3;

export function isChanged({ state }: DeployedFile): boolean {
  return state === 'CREATED';
}

/** `order.bpmn, risk.dmn, and 4 more`. */
export function namesOfChanged(files: readonly DeployedFile[]): string {
  const names = files.filter(isChanged).map(({ name }) => name);
  const others = names.length - MAX_NAMED;
  if (others <= 0) return names.join(', ');
  return `${names.slice(0, MAX_NAMED).join(', ')}, and ${others} more`;
}

/** `2 changed, 5 unchanged`. */
export function countsOf(files: readonly DeployedFile[]): string {
  const changed = files.filter(isChanged).length;
  const unchanged = files.length - changed;
  return unchanged === 0 ? `${changed} changed` : `${changed} changed, ${unchanged} unchanged`;
}
