/** Imported before anything else: the code must not depend on the time zone of the machine. */
process.env['TZ'] = 'UTC';
