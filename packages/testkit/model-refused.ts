/** A file that the host would refuse to deploy. */
export class ModelRefused extends Error {
  override name = 'ModelRefused';

  constructor(file: string, problems: readonly { severity: string; elementID?: string; message: string }[]) {
    const lines = problems.map(
      ({ severity, elementID, message }) =>
        `  ${severity}${elementID === undefined ? '' : ` at ${elementID}`}: ${message}`,
    );
    super(`${file} would be refused:\n${lines.join('\n')}`);
  }
}
