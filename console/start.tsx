import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './application.js';

/** Draws the console for whoever is signed in now, or has to be told that nobody is. */
export function start(): void {
  createRoot(document.getElementById('application')!).render(<StrictMode><Application /></StrictMode>);
}
