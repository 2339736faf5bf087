/** The HTML pages of the issuer. They load no other resources. */

export function loginPage(action: string, refused: boolean): string {
  return page(
    'Sign in',
    `${refused ? '<p role="alert">This name and password do not belong together.</p>' : ''}
    <form method="post" action="${escape(action)}">
      <label>Name <input name="name" autocomplete="username" autofocus required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button type="submit">Sign in</button>
    </form>
    <p>Development only. Names: viewer, executor, editor, admin, system-admin, outsider.
    Each password is <code>dev-</code> and the name.</p>`,
  );
}

/** @param form the form created by the provider, with the id `op.logoutForm` */
export function signOutPage(form: string): string {
  return page(
    'Sign out',
    `${form}<button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>`,
  );
}

export function errorPage(error: string, description: string): string {
  return page('Request failed', `<p>${escape(description)} (<code>${escape(error)}</code>)</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title} - Perdure development issuer</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; }
      label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
      label, button { margin-top: 1rem; }
      input, button { padding: .5rem; }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    ${body}
  </body>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
