/** All mistakes in the configuration, one sentence each. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n` +
        problems.map((problem) => `- ${problem}`).join('\n'),
    );
  }
}
