import './frame/style/tokens.css';
import './frame/style/base.css';
import { isArrival, openSession, placeOfReturn } from './frame/access/session.js';
import { applyStoredTheme } from './frame/layout/theme.js';

const loadApplication = () => import('./start.js');

applyStoredTheme();
// On the way to the issuer, nothing else is needed yet; on the way back, it is fetched in parallel with the token.
if (isArrival()) void loadApplication().then(({ loadScreenOf }) => loadScreenOf(placeOfReturn()));
await openSession();
(await loadApplication()).start();
