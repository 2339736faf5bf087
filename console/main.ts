import './style/tokens.css';
import './style/base.css';
import { isArrival, openSession, placeOfReturn } from './access/session.js';
import { applyStoredTheme } from './layout/theme.js';

const loadApplication = () => import('./start.js');

applyStoredTheme();
// Who is on the way to the issuer needs nothing else yet; for who comes back from there it is fetched beside the token.
if (isArrival()) void loadApplication().then(({ loadScreenOf }) => loadScreenOf(placeOfReturn()));
await openSession();
(await loadApplication()).start();
