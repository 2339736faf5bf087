/** A package of a meta-model of moddle, as far as it is used here. */

export interface Property {
  name: string;
  type: string;
  isAttr?: boolean;
  isId?: boolean;
  isMany?: boolean;
  isReference?: boolean;
  default?: unknown;
}

export interface Package {
  types: { name: string; properties?: Property[] }[];
}
