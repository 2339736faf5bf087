/**
 * Reports what deploying BPMN files would report: `npm run check-model -- FILE...`. Exits with 1 when one of them
 * cannot be deployed.
 */
import { readFileSync } from 'node:fs';
import { compile, type CompiledResource } from '../packages/bpmn/compile/compile.js';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('Usage: npm run check-model -- FILE...');
  process.exit(2);
}
for (const file of files) {
  const text = readText(file);
  if (text === undefined) continue;
  const compiled = await compile(text);
  const refused = compiled.processes.length === 0;
  if (refused) process.exitCode = 1;
  console.log(
    `${file}: ${refused ? 'cannot be deployed' : `deployable: ${compiled.processes.map(({ processID }) => processID).join(', ')}`}`,
  );
  for (const line of linesOf(compiled)) console.log(`  ${line}`);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    console.log(`${file}: cannot read the file: ${(error as Error).message}`);
    process.exitCode = 1;
    return undefined;
  }
}

function linesOf({ problems }: CompiledResource): string[] {
  return problems.map(({ severity, elementID, message }) => `${severity} ${elementID ?? '-'}: ${message}`);
}
