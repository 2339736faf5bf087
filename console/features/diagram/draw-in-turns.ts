/**
 * Draws the elements of a diagram in slices, so that the page stays responsive in between. The viewer itself would draw
 * each element as it is read, which blocks the page for seconds when there are thousands.
 */

/** The service of the viewer that draws an element into its place in the document. */
interface GraphicsFactory {
  update(type: string, element: object, place: object): void;
}

export interface Drawing {
  /**
   * Draws what has been read; what is changed from then on is drawn at once.
   *
   * @param isWanted asked before each turn
   * @param onProgress told after each turn that was not the last
   * @returns whether it finished
   */
  finish(isWanted: () => boolean, onProgress: (drawn: number, all: number) => void): Promise<boolean>;
}

/** Too short to notice; a diagram of a hundred elements needs no second turn. */
const turnMs = 40;

/** To be called before the file is read. */
export function drawInTurns(viewer: { get<Service>(name: string): Service }): Drawing {
  const factory = viewer.get<GraphicsFactory>('graphicsFactory');
  const drawNow = factory.update.bind(factory);
  const waiting: Parameters<GraphicsFactory['update']>[] = [];
  factory.update = (...element) => void waiting.push(element);
  return {
    async finish(isWanted, onProgress) {
      factory.update = drawNow;
      let drawn = 0;
      while (isWanted()) {
        const end = performance.now() + turnMs;
        while (drawn < waiting.length && performance.now() < end) drawNow(...waiting[drawn++]!);
        if (drawn === waiting.length) return true;
        onProgress(drawn, waiting.length);
        await nextTurn();
      }
      return false;
    },
  };
}

/** After everything that waits, input included. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
