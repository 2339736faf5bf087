import { extensionsOf, type Listeners } from './extensions.js';
import { element, escape } from './xml.js';

export interface GatewayOptions {
  readonly name?: string;
  /** The id of the default flow. */
  readonly default?: string;
  readonly listeners?: Listeners;
}

export interface ComplexGatewayOptions extends Omit<GatewayOptions, 'listeners'> {
  /** FEEL, over `activationCount`. */
  readonly activationCondition?: string;
}

export interface EventBasedGatewayOptions {
  readonly name?: string;
  /** Whether its events start the process. */
  readonly instantiate?: boolean;
  readonly eventGatewayType?: 'Exclusive' | 'Parallel';
  readonly listeners?: Listeners;
}

export function exclusiveGateway(id: string, options: GatewayOptions = {}): string {
  return gateway('exclusiveGateway', id, options);
}

export function inclusiveGateway(id: string, options: GatewayOptions = {}): string {
  return gateway('inclusiveGateway', id, options);
}

export function parallelGateway(id: string, options: Omit<GatewayOptions, 'default'> = {}): string {
  return gateway('parallelGateway', id, options);
}

export function complexGateway(id: string, { activationCondition, ...options }: ComplexGatewayOptions = {}): string {
  const content =
    activationCondition === undefined ? '' : element('activationCondition', {}, escape(activationCondition));
  return element('complexGateway', { id, ...options }, content);
}

function gateway(
  kind: string,
  id: string,
  { listeners, ...attributes }: GatewayOptions | EventBasedGatewayOptions,
): string {
  return element(kind, { id, ...attributes }, listeners ? extensionsOf({ listeners }) : '');
}

export function eventBasedGateway(id: string, options: EventBasedGatewayOptions = {}): string {
  return gateway('eventBasedGateway', id, options);
}
