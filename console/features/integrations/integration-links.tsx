import { SectionLinks } from '../../frame/layout/section-links.js';

/** The screens that share the entry Integrations of the navigation. */
export function IntegrationLinks() {
  return (
    <SectionLinks
      label="Integrations"
      links={[
        { path: 'hooks', label: 'Hooks', role: 'editor' },
        { path: 'event-subscriptions', label: 'Event subscriptions', role: 'admin' },
        { path: 'secrets', label: 'Secrets', role: 'editor' },
      ]}
    />
  );
}
