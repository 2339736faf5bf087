/** Rooms: the top-level folders and the folders of `packages/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/repository.js';
import type { Import } from './imports.js';

export interface Room {
  name: string;
  files: number;
  lines: number;
  /** Other rooms that its files import values from, sorted. */
  imports: string[];
}

export function roomOf(file: string): string {
  const [first, second] = file.split('/');
  return first === 'packages' ? `packages/${second}` : first!;
}

export function roomsOf(files: readonly string[], imports: readonly Import[]): Room[] {
  const rooms = new Map<string, Room>();
  for (const file of files.filter((path) => path.includes('/'))) {
    const name = roomOf(file);
    const room = rooms.get(name) ?? { name, files: 0, lines: 0, imports: [] };
    room.files += 1;
    room.lines += readFileSync(join(repositoryRoot, file), 'utf8').split('\n').length - 1;
    rooms.set(name, room);
  }
  for (const { from, to, isType } of imports) {
    const room = rooms.get(roomOf(from));
    const target = roomOf(to);
    if (!isType && room && target !== room.name && !room.imports.includes(target)) room.imports.push(target);
  }
  for (const room of rooms.values()) room.imports.sort();
  return [...rooms.values()].sort((a, b) => a.name.localeCompare(b.name));
}
