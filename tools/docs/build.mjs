/** `npm run docs`: builds the documentation site into `site/`, or into the folder that it is given. */
import { resolve } from 'node:path';
import { buildSite } from './site.mjs';

const folder = resolve(process.argv[2] ?? 'site');
await buildSite(folder);
process.stdout.write(`The documentation is in ${folder}. Open index.html there.\n`);
