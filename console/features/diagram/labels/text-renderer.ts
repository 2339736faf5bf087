/** Replaces the text renderer of the viewer, which breaks words that do not fit. */
import TextRenderer from 'bpmn-js/lib/draw/TextRenderer';
import { getLabel } from 'bpmn-js/lib/util/LabelUtil';
import { measureText } from './font.js';
import { layOut, longestWord } from './layout.js';

type Options = NonNullable<Parameters<TextRenderer['createText']>[1]>;

/** Of texts inside shapes. */
const MIN_FONT_SIZE = 8;
/** The width of a label without a box, as in the viewer. */
const MIN_LABEL_WIDTH = 90;
/** A longer word would cover other nodes. */
const MAX_LABEL_WIDTH = 240;
/** A letter such as j can be drawn so far outside of its width, on either side. */
const MAX_LETTER_OVERHANG = 1;
/** The viewer's, for texts without a box. */
const DEFAULT_WIDTH = 150;

export class WholeWordRenderer extends TextRenderer {
  static override $inject = ['config.textRenderer'];

  constructor(config: ConstructorParameters<typeof TextRenderer>[0]) {
    super(config);
    const { createText, getDimensions } = this;
    this.createText = (text, options = {}) => createText(...this.#fit(text, options));
    this.getDimensions = (text, options = {}) => getDimensions(...this.#fit(text, options));
    this.getExternalLabelBounds = (bounds, text) =>
      this.labelBox({ ...bounds, width: Math.max(bounds.width, MIN_LABEL_WIDTH) }, text, (own) => own);
  }

  /**
   * The box of an external label, which is wide enough for its longest word.
   *
   * @param widthOf the width of the box, from that of its text
   */
  labelBox<Box extends { x: number; y: number; width: number; height: number }>(
    box: Box,
    text: string,
    widthOf: (ofText: number, ofBox: number) => number = (_, ofBox) => ofBox,
  ): Box {
    const style = this.getExternalStyle();
    const word = Math.ceil(longestWord(text, (one) => measureText(one, style.fontSize, style.fontFamily)));
    const width = Math.max(box.width, Math.min(word, MAX_LABEL_WIDTH));
    const dimensions = this.getDimensions(text, { box: { ...box, width }, style: { ...style } });
    const drawn = dimensions.width + 2 * MAX_LETTER_OVERHANG;
    const placed = Math.ceil(Math.max(widthOf(dimensions.width, width), drawn));
    return {
      ...box,
      x: Math.round(box.x + (box.width - placed) / 2),
      width: placed,
      height: Math.ceil(dimensions.height),
    };
  }

  /** The text with its line breaks, and the font in which they fit. */
  #fit(text: string, options: Options): [string, Options] {
    const style = { ...this.getDefaultStyle(), ...options.style };
    const family = String(style.fontFamily);
    const { lines, fontSize } = layOut(text, {
      width: (options.box?.width ?? DEFAULT_WIDTH) - horizontal(options.padding),
      // Other labels are next to their shapes, or begin at the top of a large one.
      height: options.align === 'center-middle' ? options.box?.height : undefined,
      fontSize: Number(style.fontSize),
      minFontSize: Math.min(MIN_FONT_SIZE, Number(style.fontSize)),
      measure: (part, size) => measureText(part, size, family),
    });
    return [lines.join('\n'), { ...options, style: { ...options.style, fontSize } }];
  }
}

function horizontal(padding: Options['padding'] = 0): number {
  return typeof padding === 'number' ? 2 * padding : (padding.left ?? 0) + (padding.right ?? 0);
}

interface Label {
  labelTarget?: object;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Widens labels whose authors drew them for a narrower font. */
function widenLabels(
  eventBus: { on(event: string, listener: (event: { element: Label }) => void): void },
  renderer: WholeWordRenderer,
): void {
  eventBus.on('shape.add', ({ element }) => {
    const text = element.labelTarget && (getLabel(element as never) as string | undefined);
    if (text) Object.assign(element, renderer.labelBox(boxOf(element), text));
  });
}
widenLabels.$inject = ['eventBus', 'textRenderer'];

function boxOf({ x, y, width, height }: Label) {
  return { x, y, width, height };
}

export const wholeWordsModule = {
  __init__: ['widenLabels'],
  textRenderer: ['type', WholeWordRenderer],
  widenLabels: ['factory', widenLabels],
};
