import { Submit } from '../components/button.tsx';
import { FieldError } from '../components/field-faults.tsx';
import { Checkbox, Field, PostForm, RequiredMark, Select } from '../components/form.tsx';
import { Card, Problem } from '../components/page-parts.tsx';
import type { Form } from '../pages/form.ts';
import type { RefusedForm } from '../pages/refused-form.ts';
import { type KeyKind, SCOPES } from './key-kinds.ts';

interface KeyFormProps {
  readonly kind: KeyKind;
  readonly action: string;
  /** The submitted values, if any. */
  readonly form: Form;
  readonly refused: RefusedForm;
}

export function KeyForm({ kind, action, form, refused }: KeyFormProps) {
  return (
    <Card title={`New ${kind.one}`}>
      {refused.failure && <Problem failure={refused.failure} />}
      <PostForm class="stack" action={action}>
        <Fields kind={kind} form={form} refused={refused} />
        <div class="row">
          <Submit kind="primary" label="Create" />
        </div>
      </PostForm>
      <p class="hint">The {kind.secretLabel.toLowerCase()} is shown once, on the next page.</p>
    </Card>
  );
}

function Fields({ kind, form, refused: { wrong } }: Omit<KeyFormProps, 'action'>) {
  switch (kind.name) {
    case 'keys':
      return <ConversionKeyFields form={form} wrong={wrong} />;
    case 'management-keys':
      return <ManagementKeyFields form={form} wrong={wrong} />;
    case 'data-tokens':
      return <DataTokenFields form={form} wrong={wrong} />;
    default:
      return null;
  }
}

type OwnFieldsProps = Pick<KeyFormProps, 'form'> & Pick<RefusedForm, 'wrong'>;

const ConversionKeyFields = ({ form, wrong }: OwnFieldsProps) => (
  <>
    <Field
      name="name"
      label="Name"
      value={form.text('name')}
      maxLength={50}
      error={wrong['name']}
      hint="The server or purpose that uses it."
    />
    <Select
      name="mode"
      label="Mode"
      value={form.text('mode') || 'test'}
      options={[
        ['test', 'Test'],
        ['live', 'Live'],
      ]}
      error={wrong['mode']}
    />
  </>
);

function ManagementKeyFields({ form, wrong }: OwnFieldsProps) {
  return (
    <>
      <Field name="name" label="Name" value={form.text('name')} maxLength={50} error={wrong['name']} isRequired />
      <fieldset class="stack-s">
        <legend>
          Scopes <RequiredMark />
        </legend>
        {SCOPES.map(([scope, label, hint]) => (
          <Checkbox
            key={scope}
            name="scopes"
            id={`field-scope-${scope}`}
            value={scope}
            label={label}
            hint={hint}
            isChecked={form.all('scopes').includes(scope)}
          />
        ))}
        <FieldError
          id={`field-scope-${SCOPES[0][0]}`}
          label="Scopes"
          error={wrong['scopes'] && 'Choose at least one scope.'}
        />
      </fieldset>
      <Field
        name="expiresOn"
        label="Expires on"
        type="date"
        value={form.text('expiresOn')}
        error={wrong['expiresAt']}
        hint="At the beginning of this day (UTC). Leave empty for a key that does not expire."
      />
    </>
  );
}

function DataTokenFields({ form, wrong }: OwnFieldsProps) {
  return (
    <>
      <Field
        name="availableDownloads"
        label="Credits"
        value={form.text('availableDownloads')}
        hint="Each downloaded record costs one."
        error={wrong['availableDownloads']}
        isRequired
      />
      <Field
        name="planId"
        label="Plan"
        value={form.text('planId')}
        hint="The plan decides which views the token can use: basic a few, any other name all."
        error={wrong['planId']}
        isRequired
      />
    </>
  );
}
