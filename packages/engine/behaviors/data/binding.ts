/** Version binding of a called definition: a process for a call activity, a decision for a business rule task. */
import type { ChildBinding } from '../../contract/facts.js';
import type { Compiler, SourceElement, SourceExtension } from '../../model/source.js';

/** Reads `bindingType` and `versionTag` of `called` (default: the latest version). */
export function compileBinding(
  called: SourceExtension | undefined,
  source: SourceElement,
  compiler: Compiler,
): ChildBinding {
  const type = called?.attribute('bindingType') ?? 'latest';
  const versionTag = called?.attribute('versionTag');
  switch (type) {
    case 'latest':
    case 'deployment':
      return { kind: type };
    case 'versionTag':
      if (!versionTag) compiler.problem('error', source, 'A binding by version tag needs a versionTag');
      return { kind: 'versionTag', versionTag: versionTag ?? '' };
    default:
      compiler.problem(
        'error',
        source,
        `The binding must be "latest", "deployment" or "versionTag", but is ${JSON.stringify(type)}`,
      );
      return { kind: 'latest' };
  }
}
