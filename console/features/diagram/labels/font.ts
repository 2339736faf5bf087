/**
 * The font of diagrams. Modelers size their labels for Arial, which most systems do not have; this one has its metrics.
 */
import '@fontsource-variable/arimo/wght.css';

export const diagramFont = "'Arimo Variable', Arial, sans-serif";

/** Fetches the font for the letters of a file. Measuring labels before that would be wrong. */
export async function loadFont(text: string): Promise<void> {
  const letters = new Set(text.match(/[^\0-\x7F]/gu));
  // Without the font, labels are drawn in another one.
  await document.fonts.load(`12px ${diagramFont}`, `a${[...letters].join('')}`).catch(() => undefined);
}

const context = document.createElement('canvas').getContext('2d');
// As the texts of a diagram are drawn, see diagram.module.css.
if (context !== null) context.textRendering = 'geometricPrecision';

export function measureText(text: string, fontSize: number, family: string): number {
  if (context === null) return 0;
  context.font = `normal ${fontSize}px ${family}`;
  return context.measureText(text).width;
}
