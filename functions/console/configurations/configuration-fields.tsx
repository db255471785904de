import { Checkbox, Field, fieldStates, SecretField, Select, TextArea } from '../components/form.tsx';
import { Note, Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import { AUTHENTICATION_TYPES, type ConfigurationFields, SIGNATURES } from './configuration-form.ts';

interface FieldsProps {
  readonly fields: ConfigurationFields;
  readonly refused: RefusedForm;
  /** The type of authentication whose secret is stored. */
  readonly stored: string | undefined;
}

/** All fields of an API configuration. The page's script hides those of the other types of authentication. */
export function ConfigurationFormFields({ fields, refused: { wrong, failure }, stored }: FieldsProps) {
  const state = fieldStates(fields, wrong);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <Field {...state('name')} label="API Configuration Name" isRequired maxLength={50} />
      <Field
        {...state('targetUrl')}
        label="Target URL"
        type="url"
        placeholder="https://example.com/webhooks"
        hint="HTTPS only. Private addresses aren't allowed."
        isRequired
      />
      <TextArea {...state('description')} label="Description" rows={2} maxLength={500} />
      <fieldset class="pair">
        <Field
          {...state('retryIntervalSeconds')}
          label="Retry Interval (seconds)"
          hint="The time between two attempts, 0 to 86,400"
        />
        <Field
          {...state('retryTimeoutSeconds')}
          label="Retry Timeout (seconds)"
          hint="How long an attempt waits for the response, 1 to 120"
        />
        <Field {...state('maxAttempts')} label="Max Attempts" hint="The first and its retries, 1 to 20" />
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
  const state = fieldStates(fields, wrong);
  return (
    <>
      <Select {...state('type')} label="Authentication" options={AUTHENTICATION_TYPES} />
      {stored !== undefined && stored !== 'none' && (
        <div data-shown-for="type=none">
          <Note tone="warn">Choosing None removes the stored secret.</Note>
        </div>
      )}
      <div class="pair" data-shown-for="type=apiKey">
        <Field {...state('headerName')} label="Header name" />
        <SecretField name="key" label="API key" isSet={stored === 'apiKey'} error={wrong['key']} />
      </div>
      <div data-shown-for="type=bearer">
        <SecretField name="token" label="Token" isSet={stored === 'bearer'} error={wrong['token']} />
      </div>
      <div class="pair" data-shown-for="type=basic">
        <Field {...state('username')} label="Username" />
        <SecretField name="password" label="Password" isSet={stored === 'basic'} error={wrong['password']} />
      </div>
      <Select
        {...state('signature')}
        label="Signature"
        options={SIGNATURES}
        hint="Receivers can verify the sender of signed requests. The secret is shown once."
      />
    </>
  );
}
