/**
 * Draws the elements of a diagram in slices, so that the page stays responsive in between. The viewer itself would draw
 * each element as it is read, which blocks the page for seconds when there are thousands.
 */

/** The viewer's service that draws an element. */
interface GraphicsFactory {
  update(type: string, element: object, place: object): void;
}

export interface Drawing {
  /**
   * Draws the elements read so far. Later changes are drawn immediately.
   *
   * @param isWanted asked before each slice
   * @param onProgress called after each slice but the last
   * @returns whether it finished
   */
  finish(isWanted: () => boolean, onProgress: (drawn: number, all: number) => void): Promise<boolean>;
}

/** Short enough not to be noticed. A diagram of a hundred elements needs one slice. */
const sliceMs = 40;

/** Must be called before the viewer reads the file. */
export function drawInSlices(viewer: { get<Service>(name: string): Service }): Drawing {
  const factory = viewer.get<GraphicsFactory>('graphicsFactory');
  const drawNow = factory.update.bind(factory);
  const waiting: Parameters<GraphicsFactory['update']>[] = [];
  factory.update = (...element) => void waiting.push(element);
  return {
    async finish(isWanted, onProgress) {
      factory.update = drawNow;
      let drawn = 0;
      while (isWanted()) {
        const end = performance.now() + sliceMs;
        while (drawn < waiting.length && performance.now() < end) drawNow(...waiting[drawn++]!);
        if (drawn === waiting.length) return true;
        onProgress(drawn, waiting.length);
        await nextTurn();
      }
      return false;
    },
  };
}

/** Resolves after all waiting tasks of the browser, user input included. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
