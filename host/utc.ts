/** Imported before anything else: what runs here must not depend on where it runs. */
process.env['TZ'] = 'UTC';
