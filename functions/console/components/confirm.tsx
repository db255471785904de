import type { ComponentChildren } from 'preact';
import { LinkButton, Submit } from './button.tsx';
import { PostForm } from './form.tsx';

interface ConfirmProps {
  readonly action: string;
  /** The label of the button. */
  readonly label: string;
  /** The address to which Cancel leads. */
  readonly back: string;
  /** The body of the API's call that does the same. @default an example */
  readonly sends?: unknown;
  /** The consequences of the action. */
  readonly children: ComponentChildren;
}

/** The confirmation of an action that can't be undone. */
export function Confirm({ action, label, back, sends, children }: ConfirmProps) {
  return (
    <div class="card pad stack confirm">
      <p>{children}</p>
      <PostForm action={action} class="row" sends={sends}>
        <Submit kind="danger" label={label} />
        <LinkButton label="Cancel" href={back} />
      </PostForm>
    </div>
  );
}
