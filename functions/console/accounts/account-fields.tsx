import { Field, Select, TextArea } from '../components/form.tsx';
import { Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import { type AccountFields, CURRENCIES, PLANS } from './account-form.ts';

/** Returns the fault of a list, or else that of its first item with one. */
const firstOf = (wrong: RefusedForm['wrong'], name: string): string | undefined =>
  wrong[name] ?? Object.entries(wrong).find(([member]) => member.startsWith(`${name}.`))?.[1];

interface FieldsProps {
  readonly fields: AccountFields;
  readonly refused: RefusedForm;
  readonly isNew: boolean;
}

export function AccountFormFields({ fields, refused: { wrong, failure }, isNew }: FieldsProps) {
  return (
    <>
      {failure && <Problem failure={failure} />}
      {isNew && <FieldsOfNew fields={fields} wrong={wrong} />}
      <Field
        name="organization"
        label="Organization"
        value={fields.organization}
        error={wrong['organization']}
        maxLength={200}
      />
      <fieldset class="pair">
        <Field
          name="firstName"
          label="First name"
          value={fields.firstName}
          error={wrong['firstName']}
          maxLength={100}
        />
        <Field name="lastName" label="Last name" value={fields.lastName} error={wrong['lastName']} maxLength={100} />
      </fieldset>
      <Field name="email" label="E-mail" type="email" value={fields.email} error={wrong['email']} maxLength={254} />
      <Field
        name="phoneNumber"
        label="Phone number"
        value={fields.phoneNumber}
        error={wrong['phoneNumber']}
        maxLength={40}
      />
      <Select
        name="billingCurrency"
        label="Billing currency"
        value={fields.billingCurrency}
        options={CURRENCIES}
        error={wrong['billingCurrency']}
      />
      <TextArea
        name="allowedOrigins"
        label="Allowed origins"
        value={fields.allowedOrigins}
        error={firstOf(wrong, 'allowedOrigins')}
        hint="Scripts of these origins may read the API's answers to this account, such as https://shop.example.com. One in each line."
        rows={2}
      />
    </>
  );
}

/** The fields that are set only at creation. */
function FieldsOfNew({ fields, wrong }: { readonly fields: AccountFields; readonly wrong: RefusedForm['wrong'] }) {
  return (
    <>
      <Field
        name="name"
        label="Name"
        value={fields.name}
        error={wrong['name']}
        hint="The account id is generated from it. Neither can be changed later."
        isRequired
        maxLength={100}
      />
      <Select name="plan" label="Plan" value={fields.plan} options={PLANS} error={wrong['plan']} />
    </>
  );
}
