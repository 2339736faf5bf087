import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './application.js';
import { screenAt } from './screens/index.js';

/** Draws the console for the signed-in user, or the sign-in page. */
export function start(): void {
  createRoot(document.getElementById('application')!).render(
    <StrictMode>
      <Application />
    </StrictMode>,
  );
}

/** Fetches what draws the screen at an address, before anything can be drawn. */
export function loadScreenOf(address: string): void {
  // A failed load is repeated, and its error shown, when the screen is shown.
  screenAt(new URL(address, window.location.origin).pathname)
    ?.screen.load()
    .catch(() => undefined);
}
