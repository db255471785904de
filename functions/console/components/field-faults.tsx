import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { countOf } from './quantities.ts';

/** A field of a refused form, and the reason why its value was refused. */
export interface FieldFault {
  /** The id of the field. */
  readonly id: string;
  readonly label: string;
  readonly error: string;
}

/** The faults of the fields that are rendered; undefined unless the page answers a refused form. */
export const FieldFaultsContext = createContext<FieldFault[] | undefined>(undefined);

/** The attributes that give the focus to an element if its page answers a refused form, with or without script. */
export const useFocusIfRefused = () =>
  useContext(FieldFaultsContext) === undefined ? {} : { tabIndex: -1, autofocus: true };

interface FieldErrorProps {
  readonly id: string;
  readonly label: string;
  readonly error: string | undefined;
}

/** The reason why the value of a field was refused; the summary at the top of the page leads to the field. */
export function FieldError({ id, label, error }: FieldErrorProps) {
  const faults = useContext(FieldFaultsContext);
  if (error === undefined) return null;
  faults?.push({ id, label, error });
  return (
    <p class="wrong" id={`${id}-said`}>
      {sentenceOf(label, error)}
    </p>
  );
}

/** The faults of a refused form, as links to its fields. It has the focus when the page opens. */
export function FaultSummary({ faults }: { readonly faults: readonly FieldFault[] }) {
  const focus = useFocusIfRefused();
  if (faults.length === 0) return null;
  return (
    <div class="note bad spaced" role="alert" data-faults {...focus}>
      <Icon name="warning" />
      <div>
        <strong>{countOf(faults.length, 'field needs', 'fields need')} a change</strong>
        <ul>
          {faults.map(({ id, label, error }) => (
            <li key={id}>
              <a href={`#${id}`}>{isSentence(error) ? `${label}: ${error}` : sentenceOf(label, error)}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The API's reasons go on from the name of the field: `must begin with https://`. */
const isSentence = (error: string): boolean => !/^(must|needs|is|are|has|have|can|cannot|may|does|do) /.test(error);

const sentenceOf = (label: string, error: string): string =>
  isSentence(error) ? error : `${label} ${error}${/[.!?]$/.test(error) ? '' : '.'}`;
