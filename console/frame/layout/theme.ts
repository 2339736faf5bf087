/** The theme: light, dark, or that of the system. Stored in this browser. */
import { useState } from 'react';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'perdure.theme';

/** Applied before the first render, so that the page does not flash. */
export function applyStoredTheme(): void {
  apply(readTheme());
}

export function useTheme(): { theme: Theme; next: Theme; choose(theme: Theme): void } {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme) => {
    window.localStorage.setItem(storageKey, chosen);
    apply(chosen);
    setTheme(chosen);
  };
  return { theme, next: themes[(themes.indexOf(theme) + 1) % themes.length]!, choose };
}

function readTheme(): Theme {
  const stored = window.localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
