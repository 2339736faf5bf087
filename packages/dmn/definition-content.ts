/** The stored form of a DMN file. */

/** One decision of a file. */
export interface DecisionContent {
  decisionID: string;
  decisionName: string;
  versionTag?: string | undefined;
  inputFields: readonly { name: string; typeRef?: string }[];
}

/** A file and its compiled model. */
export interface DefinitionContent {
  definitionsID: string;
  namespace: string;
  xml: string;
  /** The files it imports. */
  imported: readonly string[];
  /** The compiled model as JSON text. */
  model: string;
  decisions: readonly DecisionContent[];
}
