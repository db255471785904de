import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { maySubmit } from '../sessions/session.ts';
import { PageFormsContext } from './api-calls.tsx';
import { FieldError } from './field-faults.tsx';
import { useView } from './view.ts';

interface PostFormProps {
  readonly action: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** The body of the API's call that does the same. @default an example */
  readonly sends?: unknown;
  /** The element that shows a preview of the form, and the path that renders it. */
  readonly preview?: { readonly container: string; readonly path: string };
  /** The form sends a file. The script of the page asks one path for links to its parts, and goes on to the next. */
  readonly upload?: { readonly begin: string; readonly next: string };
}

/** A form that changes something. Its token is valid for one submission in this session. */
export function PostForm({ action, children, sends, preview, upload, ...more }: PostFormProps) {
  const { newFormToken, person } = useView();
  const isOpen = !person || maySubmit(person, action);
  if (isOpen) useContext(PageFormsContext)?.push({ action, body: sends });
  return (
    <form
      method="post"
      action={action}
      class={more.class}
      encType={upload && 'multipart/form-data'}
      data-uploads={upload?.begin}
      data-next={upload?.next}
      data-previews={preview?.container}
      data-preview-at={preview?.path}
    >
      <input type="hidden" name="form" value={newFormToken()} />
      {isOpen ? children : <ReadOnlyFields>{children}</ReadOnlyFields>}
    </form>
  );
}

/**
 * The fields of a form that the person's role does not allow. The stylesheet hides its buttons, and the reason where
 * nothing else is in it.
 */
const ReadOnlyFields = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <p class="hint reason">Your role lets you look at this, but not change it.</p>
    <fieldset class="read-only" disabled>
      {children}
    </fieldset>
  </>
);

/** The name, the text and the fault of a field, from the state of its form. */
export const fieldStates =
  <Fields extends object>(fields: Fields, wrong: Readonly<Record<string, string>>) =>
  <Name extends keyof Fields & string>(name: Name) => ({ name, value: fields[name], error: wrong[name] });

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: ComponentChildren;
  /** The reason why the value was refused. */
  readonly error?: string | undefined;
  readonly type?: 'text' | 'url' | 'email' | 'number' | 'date' | 'datetime-local' | 'search' | 'password';
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly autocomplete?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly maxLength?: number;
  /** The steps of a number or a time. */
  readonly step?: 'any';
  /** The keyboard that a phone shows. */
  readonly inputMode?: 'numeric';
  /** True if the value is code, such as a query, which is not spell-checked. */
  readonly isCode?: boolean;
  /** The id, for several fields of the same name on one page. */
  readonly id?: string;
  /** The element whose buttons name what the script completes. */
  readonly completions?: string;
}

/** A labelled text field, with a hint or an error. */
export function Field({ name, label, value = '', hint, error, type = 'text', isRequired, ...more }: FieldProps) {
  const {
    id = `field-${name}`,
    placeholder,
    autocomplete,
    min,
    max,
    maxLength,
    step,
    inputMode,
    isCode,
    completions,
  } = more;
  // Preact's types distinguish the kinds of inputs by their other attributes.
  const kind = { type } as { readonly type: 'text' };
  return (
    <div>
      <Label id={id} label={label} isRequired={isRequired} />
      <input
        id={id}
        name={name}
        {...kind}
        value={value}
        placeholder={placeholder}
        required={isRequired}
        autocomplete={autocomplete ?? 'off'}
        min={min}
        max={max}
        maxLength={maxLength}
        step={step}
        inputMode={inputMode}
        class={isCode ? 'mono' : undefined}
        spellcheck={isCode ? false : undefined}
        data-completes={completions}
        {...describing(id, { hint, error })}
      />
      <FieldNote id={id} label={label} hint={hint} error={error} />
    </div>
  );
}

interface LabelProps {
  readonly id: string;
  readonly label: string;
  readonly isRequired?: boolean | undefined;
}

/** The label of a field. The attribute `required` says the word to screen readers. */
export const Label = ({ id, label, isRequired = false }: LabelProps) => (
  <div class="label-line">
    <label for={id}>{label}</label>
    {isRequired && <RequiredMark />}
  </div>
);

export const RequiredMark = () => (
  <span class="required" aria-hidden="true">
    Required
  </span>
);

interface SelectProps extends Pick<FieldProps, 'name' | 'label' | 'value' | 'hint' | 'error' | 'id'> {
  readonly options: readonly (readonly [value: string, label: string])[];
}

export function Select({ name, label, value = '', options, hint, error, id = `field-${name}` }: SelectProps) {
  return (
    <div>
      <Label id={id} label={label} />
      <select id={id} name={name} {...describing(id, { hint, error })}>
        {options.map(([own, text]) => (
          <option key={own} value={own} selected={own === value}>
            {text}
          </option>
        ))}
      </select>
      <FieldNote id={id} label={label} hint={hint} error={error} />
    </div>
  );
}

interface TextAreaProps
  extends Pick<FieldProps, 'name' | 'label' | 'value' | 'hint' | 'error' | 'maxLength' | 'isRequired'> {
  readonly rows?: number;
  /** True if the value is code, such as JSON, in a monospaced font. */
  readonly isCode?: boolean;
}

export function TextArea({ name, label, value = '', hint, error, isRequired, ...more }: TextAreaProps) {
  const { rows = 4, isCode = false, maxLength } = more;
  const id = `field-${name}`;
  return (
    <div>
      <Label id={id} label={label} isRequired={isRequired} />
      <textarea
        id={id}
        name={name}
        rows={rows}
        maxLength={maxLength}
        class={isCode ? 'code' : undefined}
        spellcheck={!isCode}
        required={isRequired}
        {...describing(id, { hint, error })}
        value={value}
      />
      <FieldNote id={id} label={label} hint={hint} error={error} />
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly label: string;
  /** The value that is sent if the box is checked. */
  readonly value?: string;
  readonly isChecked?: boolean;
  readonly hint?: ComponentChildren;
  /** The reason why the choice was refused. */
  readonly error?: string | undefined;
  /** The id, for several boxes of the same name on one page. */
  readonly id?: string;
}

export function Checkbox({ name, label, value = 'on', isChecked = false, hint, error, ...more }: CheckboxProps) {
  const { id = `field-${name}` } = more;
  return (
    <div>
      <label class="tick" for={id}>
        <input
          id={id}
          type="checkbox"
          name={name}
          value={value}
          checked={isChecked}
          {...describing(id, { hint, error })}
        />
        <span>{label}</span>
      </label>
      <FieldNote id={id} label={label} hint={hint} error={error} />
    </div>
  );
}

/** The hidden field that marks a form with secrets. */
export const HAS_SECRET = 'has-secret';

interface SecretFieldProps extends Pick<FieldProps, 'name' | 'label' | 'error'> {
  readonly isSet: boolean;
}

/** A field for a secret, which is never displayed. An empty field keeps the stored secret. */
export function SecretField({ name, label, error, isSet }: SecretFieldProps) {
  const hint = isSet ? 'A secret is set. Leave empty to keep it.' : undefined;
  return (
    <>
      <input type="hidden" name={HAS_SECRET} value="1" />
      <Field name={name} label={label} type="password" autocomplete="new-password" hint={hint} error={error} />
    </>
  );
}

interface FieldMessage {
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

const describing = (id: string, { hint, error }: FieldMessage) => ({
  'aria-invalid': error === undefined ? undefined : ('true' as const),
  'aria-describedby': error !== undefined || hint ? `${id}-said` : undefined,
});

function FieldNote({ id, label, hint, error }: FieldMessage & Pick<LabelProps, 'id' | 'label'>) {
  if (error !== undefined) return <FieldError id={id} label={label} error={error} />;
  return hint ? (
    <p class="hint" id={`${id}-said`}>
      {hint}
    </p>
  ) : null;
}
