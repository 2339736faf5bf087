/** The configuration that the console reads from the host before sign-in. */
export interface Configuration {
  issuer: string;
  clientID: string;
  /** Separated by spaces. */
  scope: string;
  audience?: string;
  /** Temporal's UI, without a slash at its end. */
  temporalUI?: string;
}

/** @throws when the host does not respond */
export async function readConfiguration(): Promise<Configuration> {
  const response = await fetch('/console/configuration.json');
  if (!response.ok) throw new Error(`Cannot load the console configuration: the host returned ${response.status}.`);
  return (await response.json()) as Configuration;
}
