interface ButtonProps {
  readonly label: string;
  /** @default a plain one of normal size */
  readonly kind?: 'primary' | 'danger' | 'small' | 'small primary' | 'small danger' | undefined;
}

const classOf = (kind: ButtonProps['kind']) => (kind === undefined ? 'button' : `button ${kind}`);

interface SubmitProps extends ButtonProps {
  /** The field that says which button of a form was used, and its value. */
  readonly name?: string;
  readonly value?: string;
  readonly formAction?: string;
  readonly formNoValidate?: boolean;
}

/** A button that submits its form. */
export const Submit = ({ label, kind, ...button }: SubmitProps) => (
  <button class={classOf(kind)} type="submit" {...button}>
    {label}
  </button>
);

/** A link that looks like a button. */
export const LinkButton = ({ label, kind, href }: ButtonProps & { readonly href: string }) => (
  <a class={classOf(kind)} href={href}>
    {label}
  </a>
);
