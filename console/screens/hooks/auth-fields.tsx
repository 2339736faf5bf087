/** Fields for the signature of a hook's sender. */
import type { Schemas } from '../../frame/api/client.js';
import { SelectField, TextField } from '../../components/fields/field.js';
import { SecretField } from '../../features/integrations/secret-field.js';

type Auth = Schemas['HookRequest']['auth'];
type AuthType = Auth['type'];

/** The members of all kinds, so that typed text survives a change of the kind. */
export interface AuthTexts {
  type: AuthType;
  secret: string;
  header: string;
  prefix: string;
  encoding: 'hex' | 'base64';
}

const types: Readonly<Record<AuthType, string>> = {
  HMAC: 'HMAC with SHA-256 (GitHub, Shopify)',
  STRIPE: 'Stripe',
  STANDARD: 'Standard Webhooks',
  HEADER: 'A header that equals the secret (GitLab)',
};

export function fieldsOf(auth: Schemas['Hook']['auth'] | undefined): AuthTexts {
  return { type: 'HMAC', secret: '', header: '', prefix: '', encoding: 'hex', ...auth };
}

export function authOf({ type, header, prefix, encoding, ...fields }: AuthTexts): Auth {
  const secret = fields.secret.trim();
  switch (type) {
    case 'HMAC':
      return { type, secret, header: header.trim(), encoding, ...(prefix !== '' && { prefix }) };
    case 'HEADER':
      return { type, secret, header: header.trim() };
    default:
      return { type, secret };
  }
}

export function AuthFields({ fields, onChange }: { fields: AuthTexts; onChange(fields: AuthTexts): void }) {
  const { type, secret, header, prefix, encoding } = fields;
  const text = (name: 'header' | 'prefix') => ({
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...fields, [name]: target.value }),
  });
  return (
    <>
      <SelectField
        label="Signature"
        value={type}
        onChange={({ target }) => onChange({ ...fields, type: target.value as AuthType })}
      >
        {Object.entries(types).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SecretField value={secret} onChange={(name) => onChange({ ...fields, secret: name })} />
      {(type === 'HMAC' || type === 'HEADER') && (
        <TextField
          label="Header"
          hint="Such as X-Hub-Signature-256."
          value={header}
          required
          maxLength={100}
          {...text('header')}
        />
      )}
      {type === 'HMAC' && (
        <>
          <TextField label="Prefix" hint="Such as sha256=." value={prefix} maxLength={100} {...text('prefix')} />
          <SelectField
            label="Encoding"
            value={encoding}
            onChange={({ target }) => onChange({ ...fields, encoding: target.value as AuthTexts['encoding'] })}
          >
            <option value="hex">Hexadecimal</option>
            <option value="base64">Base64</option>
          </SelectField>
        </>
      )}
    </>
  );
}
