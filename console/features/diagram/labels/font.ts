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

/** As texts are drawn (see diagram.module.css), and as the viewer measures them: it breaks a line that it finds too wide. */
const RENDERINGS: readonly CanvasTextRendering[] = ['geometricPrecision', 'auto'];

const contexts = RENDERINGS.flatMap((rendering) => {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return [];
  context.textRendering = rendering;
  return [context];
});

/** The width of the text in pixels; the larger one where a system rounds the widths of letters. */
export function measureText(text: string, fontSize: number, family: string): number {
  const widths = contexts.map((context) => {
    context.font = `normal ${fontSize}px ${family}`;
    return context.measureText(text).width;
  });
  return Math.max(0, ...widths);
}
