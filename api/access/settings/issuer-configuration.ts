/** A trusted issuer, and how its tokens are read. */
import type { IssuerAdministration } from './administration.js';
import type { Algorithm } from './issuer-settings.js';
import type { Preset } from './presets.js';

export interface IssuerConfiguration extends Preset {
  /** Compared with `iss` byte by byte. */
  readonly issuer: string;
  /** The address of its keys; undefined: taken from its discovery document. */
  readonly jwksURI: string | undefined;
  readonly audiences: readonly string[];
  readonly algorithms: readonly Algorithm[];
  readonly clockToleranceSeconds: number;
  /** The maximum age by `iat`; undefined: any age until `exp`. */
  readonly maximumTokenAgeSeconds: number | undefined;
  /** Clients whose tokens are accepted, by `azp` or `client_id`; undefined: any client. */
  readonly authorizedParties: readonly string[] | undefined;
  readonly organizationAdminRole: string;
  readonly systemAdminRole: string;
  /** Prepended to each `sub`, so that equal subjects of two issuers are two people. */
  readonly subjectPrefix: string;
  /** How the host changes memberships there; undefined: it does not. */
  readonly administration: IssuerAdministration | undefined;
}
