/** Colors of the console for a canvas, which reads no custom properties. */
import { useSyncExternalStore } from 'react';

const names = ['blue', 'green', 'red', 'amber', 'grey', 'accent', 'ink-faint', 'line', 'surface'] as const;
export type ChartColor = (typeof names)[number];
export type Palette = Readonly<Record<ChartColor, string>>;

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Whether the page is dark, by the choice of the user or by the system. A change redraws. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, isDark);
}

/** The colors as they are below this element now. */
export function paletteOf(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const colors = names.map((name): [ChartColor, string] => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colors) as Record<ChartColor, string>;
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && dark.matches);
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  dark.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', listener);
  };
}
