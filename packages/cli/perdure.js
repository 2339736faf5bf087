#!/usr/bin/env node
/** Runs the command from the build of a checkout, or from that of the published package. */
import { existsSync } from 'node:fs';

const builds = ['../../dist/packages/cli/main.js', './dist/main.js'];
const built = builds.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
if (built) await import(built.href);
else {
  process.stderr.write('The perdure command is not built yet. Run npm start, or npm run build.\n');
  process.exitCode = 1;
}
