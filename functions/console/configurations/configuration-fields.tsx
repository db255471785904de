import { Checkbox, Field, SecretField, Select, TextArea } from '../components/form.tsx';
import { Note, Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import { AUTHENTICATION_TYPES, type ConfigurationFields, SIGNATURES } from './configuration-form.ts';

interface FieldsProps {
  readonly fields: ConfigurationFields;
  readonly refused: RefusedForm;
  /** The type of authentication whose secret is stored. */
  readonly stored: string | undefined;
}

type LineName = 'name' | 'targetUrl' | 'retryIntervalSeconds' | 'retryTimeoutSeconds' | 'maxAttempts';

/** All fields of an API configuration. The page's script hides those of the other types of authentication. */
export function ConfigurationFormFields({ fields, refused: { wrong, failure }, stored }: FieldsProps) {
  const line = (name: LineName, label: string, more: Partial<Parameters<typeof Field>[0]>) => (
    <Field name={name} label={label} value={fields[name]} error={wrong[name]} {...more} />
  );
  return (
    <>
      {failure && <Problem failure={failure} />}
      {line('name', 'API Configuration Name', { isRequired: true, maxLength: 50 })}
      {line('targetUrl', 'Target URL', {
        type: 'url',
        placeholder: 'https://example.com/webhooks',
        hint: "HTTPS only. Private addresses aren't allowed.",
        isRequired: true,
      })}
      <TextArea
        name="description"
        label="Description"
        value={fields.description}
        error={wrong['description']}
        rows={2}
        maxLength={500}
      />
      <fieldset class="pair">
        {line('retryIntervalSeconds', 'Retry Interval (seconds)', { hint: '0 to 86,400' })}
        {line('retryTimeoutSeconds', 'Retry Timeout (seconds)', { hint: '1 to 120' })}
        {line('maxAttempts', 'Max Attempts', { hint: '1 to 20' })}
      </fieldset>
      <AuthenticationFields fields={fields} wrong={wrong} stored={stored} />
      <Checkbox
        name="isEnabled"
        label="Enabled"
        isChecked={fields.isEnabled}
        hint="While disabled, no events are sent and pending deliveries fail."
      />
    </>
  );
}

interface AuthenticationProps extends Pick<FieldsProps, 'fields' | 'stored'> {
  readonly wrong: RefusedForm['wrong'];
}

function AuthenticationFields({ fields, wrong, stored }: AuthenticationProps) {
  return (
    <>
      <Select
        name="type"
        label="Authentication"
        value={fields.type}
        options={AUTHENTICATION_TYPES}
        error={wrong['type']}
      />
      {stored !== undefined && stored !== 'none' && (
        <div data-shown-for="type=none">
          <Note tone="warn">Choosing None removes the stored secret.</Note>
        </div>
      )}
      <div class="pair" data-shown-for="type=apiKey">
        <Field name="headerName" label="Header name" value={fields.headerName} error={wrong['headerName']} />
        <SecretField name="key" label="API key" isSet={stored === 'apiKey'} error={wrong['key']} />
      </div>
      <div data-shown-for="type=bearer">
        <SecretField name="token" label="Token" isSet={stored === 'bearer'} error={wrong['token']} />
      </div>
      <div class="pair" data-shown-for="type=basic">
        <Field name="username" label="Username" value={fields.username} error={wrong['username']} />
        <SecretField name="password" label="Password" isSet={stored === 'basic'} error={wrong['password']} />
      </div>
      <Select
        name="signature"
        label="Signature"
        value={fields.signature}
        options={SIGNATURES}
        hint="Receivers can verify the sender of signed requests. The secret is shown once."
        error={wrong['signature']}
      />
    </>
  );
}
