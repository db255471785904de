import type { ComponentChildren } from 'preact';
import { PostForm } from './form.tsx';

interface ConfirmProps {
  readonly action: string;
  /** What the button does. */
  readonly label: string;
  /** Where to go instead. */
  readonly back: string;
  /** What is lost. */
  readonly children: ComponentChildren;
}

/** The last question before something that cannot be taken back. */
export function Confirm({ action, label, back, children }: ConfirmProps) {
  return (
    <div class="card pad stack confirm">
      <p>{children}</p>
      <PostForm action={action} class="row">
        <button class="button danger" type="submit">
          {label}
        </button>
        <a class="button" href={back}>
          Cancel
        </a>
      </PostForm>
    </div>
  );
}
