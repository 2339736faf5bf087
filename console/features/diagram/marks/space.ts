/** The rectangles of a diagram that a mark must not cover. */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The side of a cell: with larger ones more rectangles are compared, with smaller ones a label is in many. */
const CELL = 200;

export class Space {
  readonly #cells = new Map<string, Rect[]>();

  add(rect: Rect): void {
    for (const key of cellsOf(rect)) {
      const cell = this.#cells.get(key);
      if (cell) cell.push(rect);
      else this.#cells.set(key, [rect]);
    }
  }

  isFree(rect: Rect): boolean {
    return cellsOf(rect).every((key) => !this.#cells.get(key)?.some((other) => overlap(rect, other)));
  }

  /** Another space with the same rectangles. */
  copy(): Space {
    const copy = new Space();
    for (const [key, cell] of this.#cells) copy.#cells.set(key, [...cell]);
    return copy;
  }
}

function overlap(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function cellsOf({ x, y, width, height }: Rect): string[] {
  const keys: string[] = [];
  for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column += 1)
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row += 1)
      keys.push(`${column}:${row}`);
  return keys;
}
