import { element, escape } from './xml.js';

export interface GatewayOptions {
  readonly name?: string;
  /** The id of the default flow. */
  readonly default?: string;
}

export interface ComplexGatewayOptions extends GatewayOptions {
  /** FEEL, over `activationCount`. */
  readonly activationCondition?: string;
}

export interface EventBasedGatewayOptions {
  readonly name?: string;
  /** Whether its events start the process. */
  readonly instantiate?: boolean;
  readonly eventGatewayType?: 'Exclusive' | 'Parallel';
}

export function exclusiveGateway(id: string, options: GatewayOptions = {}): string {
  return element('exclusiveGateway', { id, ...options });
}

export function inclusiveGateway(id: string, options: GatewayOptions = {}): string {
  return element('inclusiveGateway', { id, ...options });
}

export function parallelGateway(id: string, { name }: { readonly name?: string } = {}): string {
  return element('parallelGateway', { id, name });
}

export function complexGateway(id: string, { activationCondition, ...options }: ComplexGatewayOptions = {}): string {
  const content =
    activationCondition === undefined ? '' : element('activationCondition', {}, escape(activationCondition));
  return element('complexGateway', { id, ...options }, content);
}

export function eventBasedGateway(id: string, options: EventBasedGatewayOptions = {}): string {
  return element('eventBasedGateway', { id, ...options });
}
