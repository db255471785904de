import { Checkbox, Field } from '../components/form.tsx';
import { Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import type { PlaceFields } from './place-form.ts';

interface FieldsProps {
  readonly fields: PlaceFields;
  readonly refused: RefusedForm;
  readonly isNew: boolean;
}

/** All fields of a place. The id can be chosen only when the place is created. */
export function PlaceFormFields({ fields, refused: { wrong, failure }, isNew }: FieldsProps) {
  const line = (name: keyof PlaceFields, label: string, maxLength: number) => (
    <Field name={name} label={label} value={String(fields[name])} error={wrong[name]} maxLength={maxLength} />
  );
  return (
    <>
      {failure && <Problem failure={failure} />}
      <Field name="name" label="Name" value={fields.name} error={wrong['name']} isRequired maxLength={200} />
      {isNew && (
        <Field
          name="id"
          label="Id"
          value={fields.id}
          error={wrong['id']}
          hint="Letters, digits, - and _. Leave empty to generate. It can't be changed later."
          maxLength={64}
        />
      )}
      <PositionFields fields={fields} wrong={wrong} />
      {line('address', 'Address', 300)}
      <fieldset class="pair">
        {line('city', 'City', 100)}
        {line('state', 'State or region', 100)}
      </fieldset>
      <fieldset class="pair">
        <Field
          name="brand"
          label="Brand"
          value={fields.brand}
          error={wrong['brand']}
          hint="Places of a brand share its check-in limit."
          maxLength={100}
        />
        <Field name="points" label="Points per check-in" value={fields.points} error={wrong['points']} />
      </fieldset>
      <Field
        name="acceptedDistanceMeters"
        label="Check-in radius (m)"
        value={fields.acceptedDistanceMeters}
        error={wrong['acceptedDistanceMeters']}
        hint="1 to 50,000. Leave empty to use the app's default."
      />
      <Field
        name="icon"
        label="Icon URL"
        type="url"
        value={fields.icon}
        error={wrong['icon']}
        hint="A picture for apps."
        maxLength={1_000}
      />
      <Checkbox
        name="isClosed"
        label="Closed"
        isChecked={fields.isClosed}
        hint="The place stays listed, but customers can't check in."
      />
    </>
  );
}

interface PositionProps {
  readonly fields: PlaceFields;
  readonly wrong: RefusedForm['wrong'];
}

const PositionFields = ({ fields, wrong }: PositionProps) => (
  <fieldset class="pair">
    <Field
      name="latitude"
      label="Latitude"
      value={fields.latitude}
      error={wrong['latitude']}
      hint="-90 to 90"
      isRequired
    />
    <Field
      name="longitude"
      label="Longitude"
      value={fields.longitude}
      error={wrong['longitude']}
      hint="-180 to 180"
      isRequired
    />
  </fieldset>
);
