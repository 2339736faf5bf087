/**
 * `npm run structure`: the rooms of this repository with their sizes and imports, its size without tests, circles of imports,
 * and folders that are too full. Exits with 1 if there is a circle or a folder that is too full; a test checks the same.
 */
import { cyclesOf } from './structure/cycles.js';
import { figuresOf, MAX_COLUMNS } from './structure/figures.js';
import { crowdedFolders, MAX_SIBLINGS } from './structure/folders.js';
import { importsOf, sourceFiles } from './structure/imports.js';
import { roomsOf } from './structure/rooms.js';
import { roomsOfStep } from './structure/step-walk.js';

const files = sourceFiles();
const imports = importsOf(files);
const cycles = cyclesOf(imports);
const crowded = crowdedFolders(files);
const rooms = roomsOf(files, imports);

const width = Math.max(...rooms.map(({ name }) => name.length));
for (const room of rooms)
  print(
    `${room.name.padEnd(width)} ${String(room.files).padStart(5)} files ` +
      `${String(room.lines).padStart(7)} lines  imports ${room.imports.join(', ') || 'no other folder'}`,
  );
const { lines, longLines, tables, ...figures } = figuresOf(files);
print(
  `${lines} lines in ${figures.files} files without tests, ${longLines} lines over ${MAX_COLUMNS} columns, ${tables} tables`,
);
print(
  `${(await roomsOfStep()).length} files of the engine are entered when a job completes and the next one is created`,
);
print(`${cycles.length} circles of imports`);
for (const cycle of cycles) print(`  ${cycle.join(', ')}`);
const typeCycles = cyclesOf(imports, { types: true });
print(`${typeCycles.length} circles of imports if types count`);
for (const [first, ...others] of typeCycles) print(`  ${first} and ${others.length} more`);
print(`${crowded.length} folders with more than ${MAX_SIBLINGS} source files of mixed kinds`);
for (const folder of crowded) print(`  ${folder.path}: ${folder.files}`);
if (cycles.length + crowded.length > 0) process.exitCode = 1;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
