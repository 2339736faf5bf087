import './style/tokens.css';
import './style/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openSession } from './access/session.js';
import { Application } from './application.js';
import { applyStoredTheme } from './layout/theme.js';

applyStoredTheme();
void openSession();
createRoot(document.getElementById('application')!).render(<StrictMode><Application /></StrictMode>);
